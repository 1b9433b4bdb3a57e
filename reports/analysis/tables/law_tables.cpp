// The two tables of the step-time law: its figures, and its line with the points that it goes through.
#include "reports/analysis/findings/findings.hpp"
#include "reports/analysis/tables/csv_table.hpp"

namespace ddpbench {
namespace {

constexpr int kCurvePoints = 41;

void add_estimate(CsvTable& table, double value, double half_width) {
  table << value << value - half_width << value + half_width;
}

void add_crossing(CsvTable& table, const WeightedLine& line, double share) {
  const auto crossing = crossing_at_share(line, share);
  table << 1e-3 * crossing.value << 1e-3 * crossing.lo << 1e-3 * crossing.hi << crossing_name(crossing.kind);
}

// c, s, chi_square, scale and two crossings, each with what belongs to it.
constexpr int kFieldsOfALine = 16;

void add_line(CsvTable& table, const WeightedLine& line) {
  add_estimate(table, line.intercept, line.intercept_half_width());
  add_estimate(table, line.slope, line.slope_half_width());
  table << line.chi_square << line.scale;
  add_crossing(table, line, 0.01);
  add_crossing(table, line, 0.05);
}

void add_point(CsvTable& table, const StepTimeLaw& law, const LawPoint& point) {
  table << law.group << law.arm << law.clock << "point" << point.cell_id << 1e-3 * point.step_us << point.us << point.lo
        << point.hi;
  table.end_row();
}

// From 0 to the longest step: where the line meets the axis is c.
void add_curve(CsvTable& table, const StepTimeLaw& law) {
  const double longest_us = law.points.back().step_us;
  for (int i = 0; i < kCurvePoints; ++i) {
    const double step_us = longest_us * i / (kCurvePoints - 1);
    const double us = law.line->at(step_us);
    const double half = law.line->half_width(step_us);
    table << law.group << law.arm << law.clock << "line"
          << "" << 1e-3 * step_us << us << us - half << us + half;
    table.end_row();
  }
}

}  // namespace

std::string step_time_law_table(const Findings& findings) {
  CsvTable table(
      "group,arm,clock,step_lengths,step_ms_min,step_ms_max,c_us,c_us_lo,c_us_hi,s,s_lo,s_hi,chi_square,scale,"
      "step_ms_at_1_percent,step_ms_at_1_percent_lo,step_ms_at_1_percent_hi,at_1_percent,"
      "step_ms_at_5_percent,step_ms_at_5_percent_lo,step_ms_at_5_percent_hi,at_5_percent,reason");
  for (const auto& law : findings.laws) {
    const bool any = !law.points.empty();
    table << law.group << law.arm << law.clock << law.points.size() << (any ? 1e-3 * law.points.front().step_us : kNotMeasured)
          << (any ? 1e-3 * law.points.back().step_us : kNotMeasured);
    if (law.line) {
      add_line(table, *law.line);
    } else {
      for (int field = 0; field < kFieldsOfALine; ++field) table << "";
    }
    table << law.reason;
    table.end_row();
  }
  return table.text();
}

std::string step_time_curve_table(const Findings& findings) {
  CsvTable table("group,arm,clock,kind,cell_id,step_ms,overhead_us,overhead_us_lo,overhead_us_hi");
  for (const auto& law : findings.laws) {
    for (const auto& point : law.points) add_point(table, law, point);
    if (law.line) add_curve(table, law);
  }
  return table.text();
}

}  // namespace ddpbench
