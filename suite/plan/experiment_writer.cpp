#include <algorithm>
#include <string>
#include <string_view>

#include "suite/contract/launch/protocol.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {
namespace {

std::string toml_text(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string toml = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      toml += "\\u00";
      toml += kHex[byte / 16];
      toml += kHex[byte % 16];
      continue;
    }
    if (c == '"' || c == '\\') toml += '\\';
    toml += c;
  }
  return toml + "\"";
}

// The word for the default of a number is a text in TOML.
std::string written(OptionType type, const std::string& text) {
  return type == OptionType::kText || text == "default" ? toml_text(text) : text;
}

std::string list(OptionType type, const std::vector<std::string>& values) {
  std::string toml;
  for (const auto& value : values) toml += (toml.empty() ? "" : ", ") + written(type, value);
  return "[" + toml + "]";
}

std::string options_table(const char* section, const std::map<std::string, OptionValue>& options) {
  if (options.empty()) return "";
  std::string toml = "\n[" + std::string(section) + "]\n";
  for (const auto& [name, value] : options) toml += name + " = " + written(value.type, value.text) + "\n";
  return toml;
}

std::string own_code_table(const OwnCode& own_code, const OwnCodeKind& kind) {
  const auto found = own_code.find(kind.feature);
  if (found == own_code.end()) return "";
  std::string toml = "\n[" + std::string(kind.section) + "]\n";
  for (const auto& [name, where] : found->second) toml += name + " = " + toml_text(where) + "\n";
  return toml;
}

// What is swept stands under [axes] and nowhere else.
bool is_axis(const Experiment& experiment, std::string_view key) {
  return std::any_of(experiment.axes.begin(), experiment.axes.end(), [&](const Axis& axis) { return axis.name == key; });
}

}  // namespace

std::string to_toml(const Experiment& experiment) {
  std::string toml = "name = " + toml_text(experiment.name) + "\narms = " + list(OptionType::kText, experiment.arms) + "\n";
  for (const auto& [purpose, constraint] : experiment.extra_where) toml += purpose + "_where = " + toml_text(constraint) + "\n";
  toml += "\n[axes]\n";
  for (const auto& axis : experiment.axes) toml += axis.name + " = " + list(axis.type, axis.values) + "\n";
  toml += "constraints = " + list(OptionType::kText, experiment.constraints) + "\n";
  if (!experiment.arms_where.empty()) toml += "\n[arms_where]\n";
  for (const auto& [arm, constraint] : experiment.arms_where) toml += toml_text(arm) + " = " + toml_text(constraint) + "\n";
  for (const auto& kind : kOwnCodeKinds) toml += own_code_table(experiment.own_code, kind);
  toml += "\n[protocol]\n";
  for (const auto& field : protocol_fields()) {
    if (is_axis(experiment, field.key)) continue;
    toml += std::string(field.key) + " = " + text_of(field, experiment.protocol) + "   # " + help_of(field) + "\n";
  }
  for (const auto& group : kOptionGroups) toml += options_table(group.name, experiment.options[group.group]);
  return toml;
}

}  // namespace ddpbench
