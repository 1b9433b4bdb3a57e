#include "suite/contract/vocabulary/option_entry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

struct NamedOptionType {
  OptionType type;
  const char* name;
};
constexpr std::array<NamedOptionType, 4> kOptionTypes{{{OptionType::kInteger, "integer"},
                                                       {OptionType::kNumber, "number"},
                                                       {OptionType::kText, "text"},
                                                       {OptionType::kSwitch, "switch"}}};

// Whole bounds as integers: "from 1 to 1000000".
std::string bound_text(double bound) {
  const bool whole = std::abs(bound) < 1e16 && bound == std::floor(bound);
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : shortest_text(bound);
}

std::string why_out_of_bounds(const OptionEntry& option, double number) {
  if (number >= option.minimum && number <= option.maximum) return "";
  return "must be from " + bound_text(option.minimum) + " to " + bound_text(option.maximum);
}

std::string why_not_an_integer(const OptionEntry& option, const std::string& value) {
  const auto number = parse_number<std::int64_t>(value);
  return number ? why_out_of_bounds(option, static_cast<double>(*number)) : "must be an integer";
}

std::string why_not_a_number(const OptionEntry& option, const std::string& value) {
  const auto number = parse_finite<double>(value);
  return number ? why_out_of_bounds(option, *number) : "must be a number";
}

}  // namespace

void to_json(nlohmann::ordered_json& json, const OptionEntry& option) {
  const auto* type = std::find_if(kOptionTypes.begin(), kOptionTypes.end(), [&](const auto& t) { return t.type == option.type; });
  json = {{"name", option.name},   {"type", type->name},        {"default", option.default_value},
          {"legal", option.legal}, {"minimum", option.minimum}, {"maximum", option.maximum},
          {"help", option.help}};
  if (!option.needs.empty()) json["needs"] = option.needs;
  if (option.is_file) json["is_file"] = true;
}

void from_json(const nlohmann::ordered_json& json, OptionEntry& option) {
  option = {.name = json.at("name"),
            .type = find_entry(kOptionTypes, "type of an option", json.at("type").get<std::string>()).type,
            .default_value = json.at("default"),
            .legal = json.at("legal"),
            .minimum = json.at("minimum"),
            .maximum = json.at("maximum"),
            .help = json.at("help"),
            .needs = json.value("needs", decltype(OptionEntry::needs)()),
            .is_file = json.value("is_file", false)};
}

bool is_word_for_default(const OptionEntry& option, std::string_view value) {
  const bool is_number = option.type == OptionType::kInteger || option.type == OptionType::kNumber;
  return is_number && value == "default" && value == option.default_value;
}

std::string why_illegal(const OptionEntry& option, const std::string& value) {
  if (is_word_for_default(option, value)) return "";
  switch (option.type) {
    case OptionType::kInteger: return why_not_an_integer(option, value);
    case OptionType::kNumber: return why_not_a_number(option, value);
    case OptionType::kSwitch: return value == "true" || value == "false" ? "" : "must be true or false";
    case OptionType::kText: break;
  }
  const bool legal = option.legal.empty() || std::find(option.legal.begin(), option.legal.end(), value) != option.legal.end();
  return legal ? "" : "must be one of " + join(option.legal, ", ");
}

std::string why_contradictory(std::span<const OptionEntry> options, const std::map<std::string, std::string>& values) {
  const auto value_of = [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
  for (const auto& option : options) {
    const auto needs = option.needs.find(value_of(option.name));
    if (needs == option.needs.end()) continue;
    for (const auto& [other, needed] : needs->second) {
      if (value_of(other) == needed) continue;
      return option.name + " = " + needs->first + " needs " + other + " = " + needed + ", not " + value_of(other) +
             " (in a sweep, leave it out by a constraint)";
    }
  }
  return "";
}

}  // namespace ddpbench
