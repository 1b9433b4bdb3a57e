#include "reports/analysis/findings/settings/setting_facts.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/launch/axes.hpp"

namespace ddpbench {
namespace {

// An axis of names is a setting, but for the workload: that and the sizes are the work.
bool is_setting(const StandardAxis& axis) { return axis.entries != nullptr && axis.name != std::string_view("workload"); }

SettingValues setting_values(const PlanRow& axes) {
  SettingValues values;
  for (const auto& axis : standard_axes()) {
    if (is_setting(axis)) values[axis.name] = text_of(axis, axes);
  }
  for (const auto& option : options_of(axes)) {
    const auto equals = option.find('=');
    if (is_length_option(option)) continue;
    if (equals != std::string::npos) values[option.substr(0, equals)] = option.substr(equals + 1);
  }
  return values;
}

std::vector<std::string> length_options(const PlanRow& axes) {
  auto options = options_of(axes);
  std::erase_if(options, [](const auto& option) { return !is_length_option(option); });
  return options;
}

}  // namespace

StepsByRepetition steps_by_repetition(const Cell& cell, const std::string& reference, Clock clock) {
  StepsByRepetition steps;
  for (const auto* launch : cell.launches_with({reference})) {
    std::vector<double> blocks;
    for (const double log_s : block_series(*launch->samples.find(reference), clock).of_medians) {
      if (std::isfinite(log_s)) blocks.push_back(std::exp(log_s));
    }
    if (!blocks.empty()) steps[launch->runs.front().repetition] = median(std::move(blocks));
  }
  return steps;
}

bool holds_options(const std::string& setting) {
  return std::find(kGroupsOfSettings.begin(), kGroupsOfSettings.end(), setting) != kGroupsOfSettings.end();
}

bool same_work(const CellFacts& one, const CellFacts& other) {
  const auto& a = one.cell->axes;
  const auto& b = other.cell->axes;
  const auto same = [&](const StandardAxis& axis) { return is_setting(axis) || same_value(axis, a, b); };
  return std::all_of(standard_axes().begin(), standard_axes().end(), same) && one.length_options == other.length_options;
}

std::optional<std::string> only_difference(const SettingValues& a, const SettingValues& b) {
  const auto same = [&](const char* option_group) { return a.at(option_group) == b.at(option_group); };
  const bool same_options = std::all_of(kGroupsOfSettings.begin(), kGroupsOfSettings.end(), same);
  if (same_options && a.size() != b.size()) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() && !same_options) continue;
    if (other == b.end() || (found && other->second != value)) return std::nullopt;
    if (other->second != value) found = name;
  }
  return found;
}

CellFacts facts_of(const Cell& cell, const std::string& reference) {
  CellFacts facts{&cell, setting_values(cell.axes), length_options(cell.axes), {}};
  for (const auto& clock : kClocks) {
    if (clock.bears_verdict) facts.steps_s[index_of(clock.clock)] = steps_by_repetition(cell, reference, clock.clock);
  }
  return facts;
}

}  // namespace ddpbench
