#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using HeldOut = HeldOutRow;
const std::array kHeldOutColumns{
    Column<HeldOut>{"cell_id", &HeldOut::cell_id, "the size that was measured, and predicted from the others of its group"},
    Column<HeldOut>{"arm", &HeldOut::arm, "who drives the step"},
    Column<HeldOut>{"mode", &HeldOut::mode, "strong: same global batch, weak: same batch per rank"},
    Column<HeldOut>{"reference_cell", &HeldOut::reference_cell, "the smallest size of the group"},
    Column<HeldOut>{"nodes", &HeldOut::nodes, "of the size"},
    Column<HeldOut>{"world_size", &HeldOut::world_size, "its ranks"},
    Column<HeldOut>{"sizes", &HeldOut::sizes, "that the model was made of"},
    Column<HeldOut>{"step_ms", &HeldOut::step_ms, "measured: median step of the slowest rank", "ms"},
    Column<HeldOut>{"predicted_ms", &HeldOut::predicted_ms, "without this size", "ms"},
    Column<HeldOut>{"compute_ms", &HeldOut::compute_ms, "of the prediction; empty where a device computes", "ms"},
    Column<HeldOut>{"skew_ms", &HeldOut::skew_ms, "of it: what the slowest rank has more than the mean one", "ms"},
    Column<HeldOut>{"exposed_ms", &HeldOut::exposed_ms, "of it: communication that compute does not hide", "ms"},
    Column<HeldOut>{"error_percent", &HeldOut::error_percent, "predicted over measured, less 1", "%"},
    Column<HeldOut>{"is_inside", &HeldOut::is_inside, "1: the measured step lies within the bounds"},
    Column<HeldOut>{"reason", &HeldOut::reason, "why it was not predicted"},
};

}  // namespace

template <>
std::span<const Column<HeldOutRow>> columns<HeldOutRow>() {
  return kHeldOutColumns;
}

ReportTable held_out_table() {
  return report_table<HeldOutRow>("tables/held_out.csv", "one size that was held out, and predicted",
                                  [](const TableInputs& analysed, auto& table) {
                                    for (const auto& row : analysed.findings.held_out) table.add(row);
                                  });
}

}  // namespace ddpbench
