#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct StepTimeLawRow {
  std::string group, arm, clock;
  std::int64_t step_lengths = 0;
  double step_us_min = kNotMeasured, step_us_max = kNotMeasured;
  Estimate c_us;
  Estimate s;
  double chi_square = kNotMeasured, scale = kNotMeasured;
  Estimate step_us_at_1_percent;
  std::string at_1_percent;
  Estimate step_us_at_5_percent;
  std::string at_5_percent;
  std::string reason;
};

using Law = StepTimeLawRow;
const std::array kLawColumns{
    Column<Law>{"group", &Law::group, "what all its cells have alike"},
    Column<Law>{"arm", &Law::arm, "the arm that is compared"},
    Column<Law>{"clock", &Law::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<Law>{"step_lengths", &Law::step_lengths, "cells that the line is fitted through"},
    Column<Law>{"step_us_min", &Law::step_us_min, "shortest step of the reference", "us"},
    Column<Law>{"step_us_max", &Law::step_us_max, "longest step of the reference", "us"},
    Column<Law>{"c_us", &Law::c_us, "cost of a step of no length: c of cost = c + s T", "us"},
    Column<Law>{"s", &Law::s, "cost per time of the reference's step T"},
    Column<Law>{"chi_square", &Law::chi_square, "of the cells about the line"},
    Column<Law>{"scale", &Law::scale, "by which variances were multiplied: max(1, chi_square / (step_lengths - 2))"},
    Column<Law>{"step_us_at_1_percent", &Law::step_us_at_1_percent, "step at which the cost is 1 % of it", "us",
                "95 % bound (Fieller, the controls allowed for)"},
    Column<Law>{"at_1_percent", &Law::at_1_percent,
                "bounded, unbounded (no upper bound), never (less than that at every step), always (more) or unknown"},
    Column<Law>{"step_us_at_5_percent", &Law::step_us_at_5_percent, "the same at 5 %", "us",
                "95 % bound (Fieller, the controls allowed for)"},
    Column<Law>{"at_5_percent", &Law::at_5_percent, "as at_1_percent"},
    Column<Law>{"reason", &Law::reason, "why there is no line"},
};

}  // namespace

template <>
std::span<const Column<StepTimeLawRow>> columns<StepTimeLawRow>() {
  return kLawColumns;
}

namespace {

void fill_line(StepTimeLawRow& row, const WeightedLine& line) {
  row.c_us = line.intercept_estimate();
  row.s = line.slope_estimate();
  row.chi_square = line.chi_square;
  row.scale = line.scale;
}

void fill_crossings(StepTimeLawRow& row, const StepTimeLaw& law) {
  const auto at_1 = law_crossing(law, 0.01);
  row.step_us_at_1_percent = {at_1.value, at_1.lo, at_1.hi};
  row.at_1_percent = crossing_name(at_1.kind);
  const auto at_5 = law_crossing(law, 0.05);
  row.step_us_at_5_percent = {at_5.value, at_5.lo, at_5.hi};
  row.at_5_percent = crossing_name(at_5.kind);
}

StepTimeLawRow row_of(const StepTimeLaw& law) {
  StepTimeLawRow row;
  row.group = law.group;
  row.arm = law.arm;
  row.clock = law.clock;
  row.step_lengths = static_cast<std::int64_t>(law.points.size());
  if (!law.points.empty()) {
    row.step_us_min = law.points.front().step_us;
    row.step_us_max = law.points.back().step_us;
  }
  if (law.line) {
    fill_line(row, *law.line);
    fill_crossings(row, law);
  }
  row.reason = law.reason;
  return row;
}

}  // namespace

ReportTable step_time_law_table() {
  return report_table<StepTimeLawRow>("tables/step_time_law.csv", "one arm of one group of cells on one clock",
                                      [](const TableInputs& analysed, auto& table) {
                                        for (const auto& law : analysed.findings.laws) table.add(row_of(law));
                                      });
}

}  // namespace ddpbench
