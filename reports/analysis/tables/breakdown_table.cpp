#include <array>
#include <cmath>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {
namespace {

struct BreakdownRow {
  std::string cell_id, arm, phase;
  double mean_s = kNotMeasured, share = kNotMeasured;
  bool in_sum = true;
  double comm_wait_s = kNotMeasured;
};

const std::array kBreakdownColumns{
    Column<BreakdownRow>{"cell_id", &BreakdownRow::cell_id, "one combination of every axis except arm"},
    Column<BreakdownRow>{"arm", &BreakdownRow::arm, "who drives the step"},
    Column<BreakdownRow>{"phase", &BreakdownRow::phase, "of the step, then comm_wait: blocked in collectives"},
    Column<BreakdownRow>{"mean_s", &BreakdownRow::mean_s, "wall, mean over all timed steps of all ranks", "s"},
    Column<BreakdownRow>{"share", &BreakdownRow::share, "of the mean step, from 0 to 1"},
    Column<BreakdownRow>{"in_sum", &BreakdownRow::in_sum,
                         "1: one of the phases, which add up to the mean step; 0: comm_wait, inside the phases"},
    Column<BreakdownRow>{"comm_wait_s", &BreakdownRow::comm_wait_s, "of mean_s, blocked in collectives", "s"},
};

}  // namespace

template <>
std::span<const Column<BreakdownRow>> columns<BreakdownRow>() {
  return kBreakdownColumns;
}

namespace {

double mean(double sum, std::int64_t rows) { return rows == 0 ? kNotMeasured : sum / static_cast<double>(rows); }

PhaseSums sums_of(const Cell& cell, const std::string& arm) {
  PhaseSums sums;
  for (const auto* launch : cell.launches_with({arm})) sums.add(launch->samples.find(arm)->sums);
  return sums;
}

using ByPhase = std::array<double, kPhaseCount>;

// Of an arm's step the time blocked in collectives by phase, seconds: the mean over ranks; NaN: nobody recorded it.
ByPhase comm_waits_of(const Launch& launch, const std::string& arm) {
  ByPhase sums{};
  std::array<std::int64_t, kPhaseCount> ranks{};
  for (const auto& row : launch.metrics) {
    if (row.arm != arm) continue;
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      if (row.metric != kMetrics.comm_waits[phase].name) continue;
      sums[phase] += row.value;
      ++ranks[phase];
    }
  }
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) sums[phase] = mean(sums[phase], ranks[phase]);
  return sums;
}

// Over launches weighed as the phases' own means are: by their rows.
ByPhase comm_waits_of(const Cell& cell, const std::string& arm) {
  ByPhase sums{};
  std::array<std::int64_t, kPhaseCount> rows{};
  for (const auto* launch : cell.launches_with({arm})) {
    const auto waits_s = comm_waits_of(*launch, arm);
    const auto launch_rows = launch->samples.find(arm)->sums.comm_wait_rows;
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      if (std::isnan(waits_s[phase])) continue;
      sums[phase] += waits_s[phase] * static_cast<double>(launch_rows);
      rows[phase] += launch_rows;
    }
  }
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) sums[phase] = mean(sums[phase], rows[phase]);
  return sums;
}

// Host time: where the device computes, phases are times of enqueuing, and what the host waits for collectives is not what they take.
// A phase that was not measured on every row is spread over all of them, so that the phases go on adding up to the step.
void add_breakdown(CsvText<BreakdownRow>& table, const Cell& cell, const std::string& arm, const PhaseSums& sums) {
  const auto& cell_id = cell.axes.cell_id;
  const bool waits_are_known = !cell.family_of(arm).host_only_enqueues();
  const double step_s = mean(sums.step_s, sums.rows);
  const auto waits_s = comm_waits_of(cell, arm);
  const auto add = [&](const std::string& phase, double mean_s, bool in_sum, double wait_s) {
    table.add({cell_id, arm, phase, mean_s, mean_s / step_s, in_sum, wait_s});
  };
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    add(kPhaseNames[phase], sums.phase_rows[phase] == 0 ? kNotMeasured : mean(sums.phase_s[phase], sums.rows), true,
        waits_s[phase]);
  }
  const double wait_s = waits_are_known ? mean(sums.comm_wait_s, sums.comm_wait_rows) : kNotMeasured;
  add("comm_wait", wait_s, false, wait_s);
}

}  // namespace

ReportTable breakdown_table() {
  return report_table<BreakdownRow>("tables/breakdown.csv", "one phase of one arm of one cell",
                                    [](const Findings& findings, auto& table) {
                                      for (const auto& cell : findings.study.cells) {
                                        for (const auto& arm : cell.arms) {
                                          const auto sums = sums_of(cell, arm);
                                          if (sums.rows > 0) add_breakdown(table, cell, arm, sums);
                                        }
                                      }
                                    });
}

}  // namespace ddpbench
