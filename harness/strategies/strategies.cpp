#include "harness/strategies/strategies.hpp"

#include <array>

namespace ddpbench {

std::span<const StrategyEntry> strategies() {
  static const std::array table{
      StrategyEntry{"single", "one process, no communication: what the other strategies are compared with", 1, {}, make_single},
      StrategyEntry{
          "ddp",
          "DistributedDataParallel: c10d::Reducer all-reduces gradients in buckets during backward",
          0,
          {{"bucket_cap_mb",
            OptionType::kNumber,
            "default",
            {},
            0.001,
            100000,
            "bucket size, MiB; `default` is PyTorch's: a first bucket of 1, then 25"},
           {"gradient_as_bucket_view", OptionType::kSwitch, "false", {}, 0, 0, "gradients share storage with the buckets"},
           {"broadcast_buffers", OptionType::kSwitch, "true", {}, 0, 0, "rank 0's buffers before each forward"}},
          make_ddp},
  };
  return table;
}

}  // namespace ddpbench
