#pragma once
#include <string_view>

namespace ddpbench {

// Describes what a launch of purpose `nodes` measures: rows of its ranks' metrics parts, by these names.
struct NodeCheck {
  std::string_view name, unit, what;  // what: as a sentence about a node has it
};

namespace node_check {
// Measured by every rank, a row for each round.
inline constexpr NodeCheck kProduct{"product_s", "s", "the same product of matrices"};
inline constexpr NodeCheck kProductCpu{"product_cpu_s", "s", "the same, on the main thread's CPU clock"};
inline constexpr NodeCheck kCopy{"copy_s", "s", "the same copy in memory"};
inline constexpr NodeCheck kChain{"chain_cpu_s", "s", "the same chain of additions, on the thread's CPU clock"};
inline constexpr NodeCheck kAllReduce{"all_reduce_s", "s", "an all-reduce of 8 bytes over all ranks"};
// Measured by the first rank of every node, a row for each visit; behind the name stands "." and the other's rank.
inline constexpr NodeCheck kLinkLatency{"link_latency_s", "s", "8 bytes to another node and back"};
inline constexpr NodeCheck kLinkTransfer{"link_transfer_s", "s", "4 MiB to another node and back"};
// Counted by every rank, a row each.
inline constexpr NodeCheck kWrongSums{"wrong_sums", "1", "elements of an all-reduce that are not the sum"};
inline constexpr NodeCheck kWrongProducts{"wrong_products", "1",
                                          "products that differ from the first, which has the same factors"};
}  // namespace node_check

}  // namespace ddpbench
