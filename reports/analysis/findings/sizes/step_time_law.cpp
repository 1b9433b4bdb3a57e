#include "reports/analysis/findings/sizes/step_time_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/phrases/axis_phrases.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
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
  return row.verdict != verdict::kUnmeasurable && std::isfinite(row.overhead_us_lo) && std::isfinite(row.standard_error_us) &&
         std::isfinite(row.reference_step_us);
}

LawPoint point_of(const OverheadRow& row) {
  return {row.cell_id,        row.reference_step_us, row.overhead_us,
          row.overhead_us_lo, row.overhead_us_hi,    std::max(kSmallestSdUs, row.standard_error_us)};
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
  for (const auto& point : law.points) points.push_back({point.step_us, point.us, point.sd});
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

}  // namespace ddpbench
