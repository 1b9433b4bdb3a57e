#include "suite/plan/joined_experiment.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/toml_bounds.hpp"

namespace ddpbench {
namespace {

constexpr const char* kAxes = "axes";
constexpr const char* kConstraints = "constraints";  // stands among the axes
constexpr const char* kMissing = "missing";

toml::table parsed(const ExperimentText& text) {
  const auto origin = text.folder + "/experiment.toml";
  require_bounded_toml(text.toml, origin);
  try {
    return toml::parse(text.toml);
  } catch (const toml::parse_error& error) {
    throw UsageError(origin + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
}

template <class Node>
std::string written_node(const Node& node) {
  std::ostringstream text;
  text << node;
  return text.str();
}

std::string text_of_node(const toml::node& node) {
  return node.visit([](const auto& value) { return written_node(value); });
}

// "protocol" -> "block_steps" -> "10"; what stands in no section is in "".
using Values = std::map<std::string, std::map<std::string, std::string>>;

Values values_of(const toml::table& table) {
  Values values;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const auto* section = node.as_table();
    if (section == nullptr) {
      values[""][name] = text_of_node(node);
      continue;
    }
    for (const auto& [inner, value] : *section) values[name][std::string(inner.str())] = text_of_node(value);
  }
  values.erase(kAxes);
  return values;
}

std::string value_in(const Values& values, const std::string& section, const std::string& key) {
  const auto in = values.find(section);
  if (in == values.end()) return kMissing;
  const auto found = in->second.find(key);
  return found == in->second.end() ? kMissing : found->second;
}

std::string first_difference(const Values& one, const Values& other, const ExperimentText& of_one,
                             const ExperimentText& of_other) {
  for (const auto& [section, keys] : one) {
    for (const auto& [key, value] : keys) {
      const auto there = value_in(other, section, key);
      if (there == value) continue;
      return key + (section.empty() ? "" : " of [" + section + "]") + " is " + value + " in " + of_one.folder + " and " + there +
             " in " + of_other.folder;
    }
  }
  return "";
}

using TextsOfAxis = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<std::string> texts_in(const toml::node& node) {
  std::vector<std::string> texts;
  if (const auto* values = node.as_array(); values != nullptr) {
    for (const auto& value : *values) texts.push_back(text_of_node(value));
  }
  return texts;
}

// In the order in which they stand in the text: toml++ sorts them.
TextsOfAxis axes_of(const toml::table& table) {
  std::vector<std::pair<std::uint32_t, std::string>> by_line;
  TextsOfAxis axes;
  const auto* section = table[kAxes].as_table();
  if (section == nullptr) return axes;
  for (const auto& [key, node] : *section) by_line.emplace_back(node.source().begin.line, std::string(key.str()));
  std::sort(by_line.begin(), by_line.end());
  for (const auto& [line, name] : by_line) axes.emplace_back(name, texts_in(*section->get(name)));
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

std::string experiment_name(const ExperimentText& text) { return parsed(text)["name"].value_or(std::string()); }

std::string why_not_one_experiment(const ExperimentText& one, const ExperimentText& other) {
  const auto left = values_of(parsed(one));
  const auto right = values_of(parsed(other));
  const auto difference = first_difference(left, right, one, other);
  return difference.empty() ? first_difference(right, left, other, one) : difference;
}

std::string joined_experiment(const std::vector<ExperimentText>& texts) {
  const bool all_same =
      std::all_of(texts.begin(), texts.end(), [&](const auto& text) { return text.toml == texts.front().toml; });
  if (all_same) return texts.front().toml;
  TextsOfAxis axes;
  for (const auto& text : texts) add_axes(axes, axes_of(parsed(text)));
  return with_axes(texts.front().toml, axes);
}

}  // namespace ddpbench
