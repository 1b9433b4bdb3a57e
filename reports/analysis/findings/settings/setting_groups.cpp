#include "reports/analysis/findings/settings/setting_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/phrases/axis_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using OptionNames = std::set<std::string>;

OptionNames telling_option_names(const Study& study) {
  std::map<std::pair<std::string, std::string>, std::string> first;  // (workload, name) -> option
  OptionNames names;
  for (const auto& cell : study.cells) {
    for (const auto& option : options_of(cell.axes)) {
      const auto [seen, is_new] = first.try_emplace({cell.axes.workload, option_name(option)}, option);
      if (!is_new && seen->second != option && !is_length_option(option)) names.insert(option_name(option));
    }
  }
  return names;
}

std::vector<std::string> setting_of_cell(const PlanRow& axes, const OptionNames& telling) {
  std::vector<std::string> words;
  for (const auto& axis : standard_axes()) {
    if (axis.name != std::string_view("workload") && !is_length_option(axis.name)) words.push_back(axis_phrase(axis, axes));
  }
  for (auto& option : options_of(axes)) {
    if (telling.count(option_name(option)) > 0) words.push_back(std::move(option));
  }
  return words;
}

}  // namespace

std::vector<SettingGroup> setting_groups(const Study& study) {
  const auto telling = telling_option_names(study);
  std::map<std::vector<std::string>, std::size_t> places;
  std::vector<SettingGroup> groups;
  for (const auto& cell : study.cells) {
    auto setting = setting_of_cell(cell.axes, telling);
    const auto [at, is_new] = places.try_emplace(setting, groups.size());
    if (is_new) groups.push_back({std::move(setting), {}});
    groups[at->second].cells.push_back(&cell);
  }
  return groups;
}

std::string what_differs(const SettingGroup& group, const SettingGroup& other) {
  auto words = group.setting;
  const auto is_of_other = [&](const auto& word) {
    return std::find(other.setting.begin(), other.setting.end(), word) != other.setting.end();
  };
  std::erase_if(words, is_of_other);
  return join(words, ", ");
}

}  // namespace ddpbench
