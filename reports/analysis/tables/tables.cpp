#include "reports/analysis/tables/tables.hpp"

#include <algorithm>

#include "reports/analysis/tables/csv_table.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/contract/arm_name.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

std::int64_t launches_ok(const Cell& cell) {
  const auto ok = [](const Launch& launch) {
    const auto arm_ok = [](const RunRow& run) { return run.status == status::kOk; };
    return !launch.runs.empty() && std::all_of(launch.runs.begin(), launch.runs.end(), arm_ok);
  };
  return std::count_if(cell.launches.begin(), cell.launches.end(), ok);
}

// Of the launches whose reference counts.
std::int64_t super_blocks(const Cell& cell) {
  std::int64_t sum = 0;
  for (const auto* launch : cell.launches_with({kReferenceArm})) {
    for (const auto& run : launch->runs) sum += run.arm == kReferenceArm ? run.super_blocks : 0;
  }
  return sum;
}

double mean(double sum, std::int64_t rows) { return rows == 0 ? kNotMeasured : sum / static_cast<double>(rows); }

PhaseSums sums_of(const Cell& cell, const std::string& arm) {
  PhaseSums sums;
  for (const auto* launch : cell.launches_with({arm})) sums.add(launch->samples.find(arm)->sums);
  return sums;
}

// A phase that was not measured on every row is spread over all of them, so that the phases go on adding up to the step.
void add_breakdown(CsvTable& table, const std::string& cell_id, const std::string& arm, const PhaseSums& sums) {
  const double step_s = mean(sums.step_s, sums.rows);
  const auto add = [&](const std::string& phase, double mean_s, int in_sum) {
    table << cell_id << arm << phase << mean_s << mean_s / step_s << in_sum;
    table.end_row();
  };
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    add(kPhaseNames[phase], sums.phase_rows[phase] == 0 ? kNotMeasured : mean(sums.phase_s[phase], sums.rows), 1);
  }
  add("comm_wait", mean(sums.comm_wait_s, sums.comm_wait_rows), 0);
}

}  // namespace

std::string cells_table(const Study& study) {
  CsvTable table(
      "cell_id,label,workload,strategy,backend,precision,nodes,ranks_per_node,world_size,batch_size_per_rank,global_batch_size,"
      "options,"
      "launches_ok,super_blocks,reference_step_ms");
  for (const auto& cell : study.cells) {
    const auto& axes = cell.axes;
    table << axes.cell_id << cell.label << axes.workload << axes.strategy << axes.backend << axes.precision << axes.nodes
          << axes.ranks_per_node << cell.world_size() << axes.batch_size_per_rank << cell.global_batch_size() << axes.options
          << launches_ok(cell) << super_blocks(cell) << 1e3 * reference_step_s(cell, Clock::kWall);
    table.end_row();
  }
  return table.text();
}

std::string breakdown_table(const Study& study) {
  CsvTable table("cell_id,arm,phase,mean_s,share,in_sum");
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      const auto sums = sums_of(cell, arm);
      if (sums.rows > 0) add_breakdown(table, cell.axes.cell_id, arm, sums);
    }
  }
  return table.text();
}

std::string loss_table(const Study& study) {
  CsvTable table("cell_id,launch_id,arm,source,index,loss");
  for (const auto& cell : study.cells) {
    for (const auto& launch : cell.launches) {
      for (const auto& arm : launch.samples.arms) {
        for (const auto& point : arm.losses) {
          table << cell.axes.cell_id << launch.launch_id << arm.arm << (point.equal_work ? "equal_work" : "training")
                << point.index << point.loss;
          table.end_row();
        }
      }
    }
  }
  return table.text();
}

std::string points_table(const Study& study) {
  CsvTable table("launch_id,cell_id,arm,status,reason");
  for (const auto& point : study.points) {
    table << point.launch_id << point.cell_id << point.arm << point.status << point.reason;
    table.end_row();
  }
  return table.text();
}

}  // namespace ddpbench
