#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using Share = BackendShareRow;

const std::array kShareColumns{
    Column<Share>{"nodes", &Share::nodes, "hosts"},
    Column<Share>{"ranks_per_node", &Share::ranks_per_node, "processes per host"},
    Column<Share>{"world_size", &Share::world_size, "ranks"},
    Column<Share>{"bucket_cap", &Share::bucket_cap, "bucket_cap_mb of the step"},
    Column<Share>{"bytes", &Share::bytes, "of the model's gradients", "bytes"},
    Column<Share>{"messages", &Share::messages, "buckets"},
    Column<Share>{"backend", &Share::backend, "who moves them"},
    Column<Share>{"floor_arm", &Share::floor_arm, "the fastest that moves these buckets: a library's own call, or a backend"},
    Column<Share>{"step_us", &Share::step_us, "a forward and a backward, mean over ranks, Hodges-Lehmann over rounds", "us",
                  "95 % bound (Wilcoxon's; over launches t)"},
    Column<Share>{"exposed_us", &Share::exposed_us,
                  "the step less the same without DDP, paired by round; what follows are its shares", "us"},
    Column<Share>{"floor_us", &Share::floor_us, "the same buckets by floor_arm, nothing beside them", "us",
                  "95 % bound; any of the arms could have been the floor, in any of the buckets"},
    Column<Share>{"backend_us", &Share::backend_us,
                  "the same buckets by the backend, beyond the floor; empty: it is the floor itself", "us",
                  "95 % bound; as floor_us"},
    Column<Share>{"ddp_us", &Share::ddp_us, "DDP's own work: its step on a network that takes no time, beyond computing alone",
                  "us"},
    Column<Share>{"skew_us", &Share::skew_us, "of that step the slowest rank's beyond the mean over ranks: what others wait",
                  "us"},
    Column<Share>{"overlap_us", &Share::overlap_us,
                  "what is left: below 0 it is hidden behind the backward, above 0 sending and computing hold each other up",
                  "us", "95 % bound; as floor_us"},
    Column<Share>{"remainder_us", &Share::remainder_us,
                  "what the medians leave: exposed_us less the five shares (a median of sums is no sum of medians)", "us"},
    Column<Share>{"fastest", &Share::fastest, "the backend with the shortest step, same buckets and ranks"},
    Column<Share>{"beyond_fastest_us", &Share::beyond_fastest_us, "the step less that one's, paired by round", "us",
                  "95 % bound; of all backends and buckets together (Bonferroni)"},
    Column<Share>{"alone_beyond_us", &Share::alone_beyond_us, "the buckets by themselves less that one's, paired by round", "us",
                  "95 % bound; as beyond_fastest_us"},
    Column<Share>{"beside_beyond_us", &Share::beside_beyond_us, "beyond_fastest_us less alone_beyond_us, paired by round", "us",
                  "95 % bound; as beyond_fastest_us"},
    Column<Share>{"is_shortest", &Share::is_shortest,
                  "1: of these ranks' bucket sizes the one at which any backend's step is shortest"},
    Column<Share>{"rounds", &Share::rounds, "rounds that have every time"},
    Column<Share>{"launches", &Share::launches, "fresh processes in the estimate"},
};

}  // namespace

template <>
std::span<const Column<BackendShareRow>> columns<BackendShareRow>() {
  return kShareColumns;
}

ReportTable backend_shares_table() {
  return report_table<BackendShareRow>("tables/backend_shares.csv",
                                       "what a backend costs a step with one bucket sequence, and whose that is",
                                       [](const TableInputs& analysed, auto& table) {
                                         for (const auto& row : analysed.findings.backend_shares) table.add(row);
                                       });
}

}  // namespace ddpbench
