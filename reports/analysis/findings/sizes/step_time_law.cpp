#include "reports/analysis/findings/sizes/step_time_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/phrases/axis_phrases.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

// Axes and options that only make the step longer.
constexpr std::array<const char*, 2> kLengthOptions{"batch_size_per_rank", "matmuls"};

// The thread CPU clock ticks in nanoseconds: no estimate is more exact than one.
constexpr double kSmallestSdUs = 1e-3;

// A step shorter than this times the next shorter one is not another step length: over lengths that hardly differ a line means
// nothing, and the error of T is no longer small against their range.
constexpr double kNextLength = 1.1;

// What a gate refused, for its control is far off, is no point of a line.
bool bears_a_point(const OverheadRow& row) {
  return row.verdict != verdict::kUnmeasurable && std::isfinite(row.overhead_us.lo) && std::isfinite(row.standard_error_us) &&
         std::isfinite(row.reference_step_us);
}

LawPoint point_of(const OverheadRow& row) {
  return {row.cell_id, row.reference_step_us, row.overhead_us, std::max(kSmallestSdUs, row.standard_error_us)};
}

// Of ascending points: a step within a tenth of the one before it is the same length measured again.
std::size_t different_lengths(const std::vector<LawPoint>& points) {
  std::size_t count = 0;
  double last_us = 0;
  for (const auto& point : points) {
    if (count > 0 && point.step_us < kNextLength * last_us) continue;
    last_us = point.step_us;
    ++count;
  }
  return count;
}

void fit(StepTimeLaw& law, double confidence) {
  std::sort(law.points.begin(), law.points.end(), [](const LawPoint& a, const LawPoint& b) { return a.step_us < b.step_us; });
  const auto lengths = different_lengths(law.points);
  if (lengths < kFewestStepLengths) {
    law.reason = "no law: " + counted(static_cast<std::int64_t>(lengths), "step length") + " with an estimate, " +
                 std::to_string(kFewestStepLengths) + " are needed, each a tenth longer than the one before";
    return;
  }
  std::vector<LinePoint> points;
  for (const auto& point : law.points) points.push_back({point.step_us, point.overhead_us.value, point.sd_us});
  law.line = fit_line(points, confidence);
}

// Laws of one group, found by arm and clock, in the order in which they are first seen.
class GroupLaws {
 public:
  explicit GroupLaws(std::string group) : group_(std::move(group)) {}

  void add(const OverheadRow& row) {
    auto& law = law_of(row);
    if (!bears_a_point(row)) return;
    law.points.push_back(point_of(row));
    law.least_factor = std::fmin(law.least_factor, row.control_factor);
    law.most_factor = std::fmax(law.most_factor, row.control_factor);
  }
  std::vector<StepTimeLaw> take() { return std::move(laws_); }

 private:
  StepTimeLaw& law_of(const OverheadRow& row) {
    const auto [at, fresh] = places_.try_emplace({row.arm, row.clock}, laws_.size());
    if (fresh) {
      auto& law = laws_.emplace_back();
      law.group = group_;
      law.arm = row.arm;
      law.clock = row.clock;
    }
    return laws_[at->second];
  }

  std::string group_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<StepTimeLaw> laws_;
};

}  // namespace

Estimate law_cost_at(const StepTimeLaw& law, double step_us) {
  return by_control(law.line->band(step_us), law.least_factor, law.most_factor);
}

// A figure that is `factor` times too large is the share where the line is `factor` times the share.
Crossing law_crossing(const StepTimeLaw& law, double share) {
  auto crossing = crossing_at_share(*law.line, share);
  for (const double factor : {law.least_factor, law.most_factor}) {
    if (factor != 1) crossing = either(crossing, crossing_at_share(*law.line, factor * share));
  }
  return crossing;
}

bool is_length_option(const std::string& option) {
  return std::find(kLengthOptions.begin(), kLengthOptions.end(), option_name(option)) != kLengthOptions.end();
}

std::string law_group(const Study& study, const PlanRow& axes) {
  std::string group;
  for (const auto& axis : standard_axes()) {
    const bool unsaid = axis.visibility == IdVisibility::kUnlessDefault && is_default(axis, axes);
    if (!unsaid && !is_length_option(axis.name)) group += (group.empty() ? "" : ", ") + axis_phrase(axis, axes);
  }
  for (const auto& option : telling_options_of(study, axes)) {
    if (!is_length_option(option)) group += ", " + option;
  }
  return group;
}

std::vector<StepTimeLaw> step_time_laws(const Study& study, const std::vector<OverheadRow>& rows) {
  std::map<std::string, std::string> group_of;  // by cell
  std::map<std::string, int> sizes;
  for (const auto& cell : study.cells) {
    group_of[cell.axes.cell_id] = law_group(study, cell.axes);
    ++sizes[group_of[cell.axes.cell_id]];
  }
  std::map<std::string, std::size_t> places;
  std::vector<GroupLaws> groups;
  for (const auto& row : rows) {
    const auto& group = group_of.at(row.cell_id);
    if (sizes.at(group) < 2) continue;
    const auto [at, fresh] = places.try_emplace(group, groups.size());
    if (fresh) groups.emplace_back(group);
    groups[at->second].add(row);
  }
  std::vector<StepTimeLaw> all;
  for (auto& group : groups) {
    for (auto& law : group.take()) {
      fit(law, study.settings.confidence);
      all.push_back(std::move(law));
    }
  }
  return all;
}

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
  row.step_us_at_1_percent = at_1.x;
  row.at_1_percent = crossing_name(at_1.kind);
  const auto at_5 = law_crossing(law, 0.05);
  row.step_us_at_5_percent = at_5.x;
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

template <>
std::vector<StepTimeLaw> make_finding(const Findings& findings) {
  return step_time_laws(findings.study, findings.overhead);
}

ReportTable step_time_law_table() {
  return report_table<StepTimeLawRow>("tables/step_time_law.csv", "one arm of one group of cells on one clock",
                                      [](const Findings& findings, auto& table) {
                                        for (const auto& law : findings.rows<StepTimeLaw>()) table.add(row_of(law));
                                      });
}

}  // namespace ddpbench
