#include "suite/plan/joined_experiment.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "suite/base/text.hpp"
#include "suite/plan/experiment_source.hpp"

namespace ddpbench {
namespace {

constexpr const char* kAxes = "axes";
constexpr const char* kConstraints = "constraints";  // stands among the axes
constexpr const char* kMissing = "missing";
constexpr const char* kLaunches = "protocol.launches";  // how often, not what: each folder's launches are there to be counted

std::vector<Setting> settings_of(const ExperimentText& text) {
  return settings_from_toml(text.toml, text.folder + "/experiment.toml");
}

std::string toml_value(const WrittenValue& value) {
  if (value.as != Written::kText) return value.text;
  std::ostringstream text;
  text << toml::value<std::string>(value.text);
  return text.str();
}

std::vector<std::string> toml_values(const Setting& setting) {
  std::vector<std::string> texts;
  for (const auto& value : setting.values) texts.push_back(toml_value(value));
  return texts;
}

// "[1, 2]", or the value where it is none of a list.
std::string toml_text_of(const Setting& setting) {
  const auto text = join(toml_values(setting), ", ");
  return setting.is_list ? "[" + text + "]" : text;
}

// In what two jobs of one experiment may not differ: {"protocol", "block_steps"} -> "10".
using Values = std::map<std::pair<std::string, std::string>, std::string>;

Values common_values(const ExperimentText& text) {
  Values values;
  for (const auto& setting : settings_of(text)) {
    if (setting.section != kAxes && full_key(setting) != kLaunches)
      values[{setting.section, setting.key}] = toml_text_of(setting);
  }
  return values;
}

std::string first_difference(const Values& one, const Values& other, const ExperimentText& of_one,
                             const ExperimentText& of_other) {
  for (const auto& [place, value] : one) {
    const auto found = other.find(place);
    const auto there = found == other.end() ? kMissing : found->second;
    if (there == value) continue;
    const auto& [section, key] = place;
    return key + (section.empty() ? "" : " of [" + section + "]") + " is " + value + " in " + of_one.folder + " and " + there +
           " in " + of_other.folder;
  }
  return "";
}

using TextsOfAxis = std::vector<std::pair<std::string, std::vector<std::string>>>;

TextsOfAxis axes_of(const ExperimentText& text) {
  TextsOfAxis axes;
  for (const auto& setting : settings_of(text)) {
    if (setting.section == kAxes) axes.emplace_back(setting.key, toml_values(setting));
  }
  return axes;
}

void add_axes(TextsOfAxis& all, const TextsOfAxis& more) {
  for (const auto& [name, texts] : more) {
    const auto found = std::find_if(all.begin(), all.end(), [&, &key = name](const auto& axis) { return axis.first == key; });
    if (found == all.end()) {
      all.emplace_back(name, texts);
      continue;
    }
    auto& values = found->second;
    if (name == kConstraints) {
      std::erase_if(values,
                    [&, &kept = texts](const auto& one) { return std::find(kept.begin(), kept.end(), one) == kept.end(); });
      continue;
    }
    for (const auto& text : texts) {
      if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(text);
    }
  }
}

// The lines of [axes] are written anew; all others stay as they are.
std::string with_axes(const std::string& toml, const TextsOfAxis& axes) {
  std::string text;
  bool in_axes = false;
  for (const auto& line : split(toml, '\n')) {
    const bool begins_section = line.starts_with('[');
    if (begins_section) in_axes = line == "[" + std::string(kAxes) + "]";
    if (in_axes && !begins_section && !line.empty()) continue;
    text += line + "\n";
    if (!in_axes || !begins_section) continue;
    for (const auto& [name, values] : axes) text += name + " = [" + join(values, ", ") + "]\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

std::string experiment_name(const ExperimentText& text) {
  for (const auto& setting : settings_of(text)) {
    if (full_key(setting) == "name" && setting.values.front().as == Written::kText) return setting.values.front().text;
  }
  return "";
}

std::string why_not_one_experiment(const ExperimentText& one, const ExperimentText& other) {
  const auto left = common_values(one);
  const auto right = common_values(other);
  const auto difference = first_difference(left, right, one, other);
  return difference.empty() ? first_difference(right, left, other, one) : difference;
}

std::string joined_experiment(const std::vector<ExperimentText>& texts) {
  const bool all_same =
      std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return text.toml == texts.front().toml; });
  if (all_same) return texts.front().toml;
  TextsOfAxis axes;
  for (const auto& text : texts) add_axes(axes, axes_of(text));
  return with_axes(texts.front().toml, axes);
}

}  // namespace ddpbench
