#include <array>

#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

struct StepTimeCurveRow {
  std::string group, arm, clock, kind, cell_id;
  double step_us = kNotMeasured;
  Estimate overhead_us;
};

using Curve = StepTimeCurveRow;
const std::array kCurveColumns{
    Column<Curve>{"group", &Curve::group, "what all its cells have alike"},
    Column<Curve>{"arm", &Curve::arm, "the arm that is compared"},
    Column<Curve>{"clock", &Curve::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<Curve>{"kind", &Curve::kind, "point: a cell's estimate; line: a place on the fitted line, from 0 to the longest step"},
    Column<Curve>{"cell_id", &Curve::cell_id, "of a point"},
    Column<Curve>{"step_us", &Curve::step_us, "the reference's step", "us"},
    Column<Curve>{"overhead_us", &Curve::overhead_us, "what the arm costs there", "us",
                  "95 % bound; of a line its band, the controls allowed for"},
};

}  // namespace

template <>
std::span<const Column<StepTimeCurveRow>> columns<StepTimeCurveRow>() {
  return kCurveColumns;
}

namespace {

constexpr int kCurvePlaces = 41;

void add_points(CsvText<StepTimeCurveRow>& table, const StepTimeLaw& law) {
  for (const auto& point : law.points) {
    table.add({law.group, law.arm, law.clock, "point", point.cell_id, point.step_us, point.overhead_us});
  }
}

// From 0 to the longest step: where the line meets the axis is c.
void add_line(CsvText<StepTimeCurveRow>& table, const StepTimeLaw& law) {
  const double longest_us = law.points.back().step_us;
  for (int i = 0; i < kCurvePlaces; ++i) {
    const double step_us = longest_us * i / (kCurvePlaces - 1);
    table.add({law.group, law.arm, law.clock, "line", "", step_us, law_cost_at(law, step_us)});
  }
}

}  // namespace

ReportTable step_time_curve_table() {
  return report_table<StepTimeCurveRow>("tables/step_time_curve.csv",
                                        "one cell that a step-time law goes through, or one place on its line",
                                        [](const Findings& findings, auto& table) {
                                          for (const auto& law : findings.rows<StepTimeLaw>()) {
                                            add_points(table, law);
                                            if (law.line) add_line(table, law);
                                          }
                                        });
}

}  // namespace ddpbench
