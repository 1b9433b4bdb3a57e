#include <algorithm>
#include <array>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

struct CellRow {
  std::string cell_id, label;
  std::string workload, strategy, backend, precision;
  std::int64_t nodes = 1, ranks_per_node = 1, world_size = 1, batch_size_per_rank = 1, global_batch_size = 1;
  std::string options;
  std::int64_t launches_ok = 0, super_blocks = 0;
  double reference_step_ms = kNotMeasured;
};

const std::array kCellColumns{
    Column<CellRow>{"cell_id", &CellRow::cell_id, "one combination of every axis except arm"},
    Column<CellRow>{"label", &CellRow::label, "workload, and what tells the cell from the others"},
    Column<CellRow>{"workload", &CellRow::workload, "model, data set, loss and optimizer"},
    Column<CellRow>{"strategy", &CellRow::strategy, "how replicas meet"},
    Column<CellRow>{"backend", &CellRow::backend, "collectives"},
    Column<CellRow>{"precision", &CellRow::precision, "number formats of the step"},
    Column<CellRow>{"nodes", &CellRow::nodes, "machines"},
    Column<CellRow>{"ranks_per_node", &CellRow::ranks_per_node, "processes on each machine"},
    Column<CellRow>{"world_size", &CellRow::world_size, "ranks"},
    Column<CellRow>{"batch_size_per_rank", &CellRow::batch_size_per_rank, "per rank and step", "samples"},
    Column<CellRow>{"global_batch_size", &CellRow::global_batch_size, "of all ranks, per step", "samples"},
    Column<CellRow>{"options", &CellRow::options, "workload, strategy and protocol options, name=value;…"},
    Column<CellRow>{"launches_ok", &CellRow::launches_ok, "launches of which every arm is ok"},
    Column<CellRow>{"super_blocks", &CellRow::super_blocks, "of the launches whose reference counts"},
    Column<CellRow>{"reference_step_ms", &CellRow::reference_step_ms,
                    "wall, median over super-blocks of the reference's block median", "ms"},
};

}  // namespace

template <>
std::span<const Column<CellRow>> columns<CellRow>() {
  return kCellColumns;
}

namespace {

std::int64_t launches_ok(const Cell& cell) {
  const auto ok = [](const Launch& launch) {
    const auto arm_ok = [](const RunRow& run) { return run.status == status::kOk; };
    return !launch.runs.empty() && std::all_of(launch.runs.begin(), launch.runs.end(), arm_ok);
  };
  return std::count_if(cell.launches.begin(), cell.launches.end(), ok);
}

// Of the launches whose reference counts; of several references the first.
std::int64_t super_blocks(const Cell& cell) {
  const auto& reference = cell.families.front().reference;
  std::int64_t sum = 0;
  for (const auto* launch : cell.launches_with({reference})) {
    for (const auto& run : launch->runs) sum += run.arm == reference ? run.super_blocks : 0;
  }
  return sum;
}

CellRow row_of(const Cell& cell) {
  const auto& axes = cell.axes;
  return {.cell_id = axes.cell_id,
          .label = cell.label,
          .workload = axes.workload,
          .strategy = axes.strategy,
          .backend = axes.backend,
          .precision = axes.precision,
          .nodes = axes.nodes,
          .ranks_per_node = axes.ranks_per_node,
          .world_size = cell.world_size(),
          .batch_size_per_rank = axes.batch_size_per_rank,
          .global_batch_size = cell.global_batch_size(),
          .options = axes.options,
          .launches_ok = launches_ok(cell),
          .super_blocks = super_blocks(cell),
          .reference_step_ms = 1e3 * cell.families.front().step_s()};
}

}  // namespace

ReportTable cells_table() {
  return report_table<CellRow>("tables/cells.csv", "one cell", [](const Findings& findings, auto& table) {
    for (const auto& cell : findings.study.cells) table.add(row_of(cell));
  });
}

}  // namespace ddpbench
