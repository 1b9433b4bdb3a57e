#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

constexpr double kSharePercent = 5;  // the claim that is asked about

struct CostAtStepRow {
  std::string group, arm, clock;
  double step_ms = kNotMeasured;
  Estimate percent;
  bool is_extrapolated = false;
  std::string at_most_5_percent;
};

using AtStep = CostAtStepRow;
const std::array kAtStepColumns{
    Column<AtStep>{"group", &AtStep::group, "of the step-time law"},
    Column<AtStep>{"arm", &AtStep::arm, "the arm that is compared"},
    Column<AtStep>{"clock", &AtStep::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<AtStep>{"step_ms", &AtStep::step_ms, "a step of the reference", "ms"},
    Column<AtStep>{"percent", &AtStep::percent, "what the arm costs there by the line, of that step", "%",
                   "95 % bound: the line's band, the controls allowed for"},
    Column<AtStep>{"is_extrapolated", &AtStep::is_extrapolated, "whether no step so short, or so long, was measured"},
    Column<AtStep>{"at_most_5_percent", &AtStep::at_most_5_percent,
                   "yes or no: the whole band is; open: it holds 5 %, or the wall clock says no"},
};

}  // namespace

template <>
std::span<const Column<CostAtStepRow>> columns<CostAtStepRow>() {
  return kAtStepColumns;
}

namespace {

constexpr std::array kStepsMs{1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0};

CostAtStepRow at_step(const StepTimeLaw& law, double step_ms) {
  const double us = 1e3 * step_ms;
  CostAtStepRow row;
  row.group = law.group;
  row.arm = law.arm;
  row.clock = law.clock;
  row.step_ms = step_ms;
  row.percent = mapped(law_cost_at(law, us), [&](double cost) { return 100 * cost / us; });
  row.is_extrapolated = us < law.points.front().step_us || us > law.points.back().step_us;
  row.at_most_5_percent = row.percent.hi <= kSharePercent ? "yes" : row.percent.lo > kSharePercent ? "no" : "open";
  return row;
}

using LawKey = std::tuple<std::string, std::string, std::string>;  // group, arm, clock
using FittedLaws = std::map<LawKey, const StepTimeLaw*>;

FittedLaws fitted_laws(const std::vector<StepTimeLaw>& laws) {
  FittedLaws fitted;
  for (const auto& law : laws) {
    if (law.line) fitted[{law.group, law.arm, law.clock}] = &law;
  }
  return fitted;
}

void add_steps(CsvText<CostAtStepRow>& table, const StepTimeLaw& law, const FittedLaws& fitted) {
  const auto on_wall = fitted.find({law.group, law.arm, clock_name::kWall});
  for (const double step_ms : kStepsMs) {
    auto row = at_step(law, step_ms);
    const bool differs =
        on_wall != fitted.end() && row.at_most_5_percent == "yes" && at_step(*on_wall->second, step_ms).at_most_5_percent == "no";
    if (differs) row.at_most_5_percent = "open";
    table.add(row);
  }
}

}  // namespace

ReportTable cost_at_step_table() {
  return report_table<CostAtStepRow>("tables/cost_at_step.csv", "one step-time law at one length of the step",
                                     [](const Findings& findings, auto& table) {
                                       const auto fitted = fitted_laws(findings.rows<StepTimeLaw>());
                                       for (const auto& law : findings.rows<StepTimeLaw>()) {
                                         if (law.line) add_steps(table, law, fitted);
                                       }
                                     });
}

}  // namespace ddpbench
