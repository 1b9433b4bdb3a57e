#include "reports/analysis/samples/settings.hpp"

#include <toml++/toml.h>

#include <array>
#include <sstream>
#include <type_traits>
#include <variant>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

// The keys of [protocol] that the analysis needs.
struct ProtocolKey {
  const char* name;
  std::variant<double Settings::*, std::int64_t Settings::*> member;
};
const std::array kProtocolKeys{
    ProtocolKey{"margin_percent", &Settings::margin_percent},
    ProtocolKey{"margin_us", &Settings::margin_us},
    ProtocolKey{"block_steps", &Settings::block_steps},
    ProtocolKey{"max_seconds_per_launch", &Settings::max_seconds_per_launch},
    ProtocolKey{"max_super_blocks", &Settings::max_super_blocks},
    ProtocolKey{"budget_percent", &Settings::budget_percent},
};

std::string value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  std::ostringstream words;
  node.visit([&](const auto& value) { words << value; });
  return words.str();
}

std::map<std::string, std::vector<std::string>> axes_of(const toml::table& table) {
  std::map<std::string, std::vector<std::string>> axes;
  for (const auto& [name, node] : table) {
    const auto* values = node.as_array();
    if (values == nullptr) continue;
    for (const auto& value : *values) axes[std::string(name.str())].push_back(value_text(value));
  }
  return axes;
}

}  // namespace

Settings read_settings(const std::string& experiment_toml, const std::string& origin) {
  try {
    const auto table = toml::parse(experiment_toml);
    const auto protocol = table["protocol"];
    Settings settings;
    settings.experiment = table["name"].value_or(std::string());
    for (const auto& key : kProtocolKeys) {
      std::visit([&](auto member) { settings.*member = protocol[key.name].value_or(settings.*member); }, key.member);
    }
    if (const auto* axes = table["axes"].as_table()) settings.axes = axes_of(*axes);
    return settings;
  } catch (const toml::parse_error& error) {
    throw UsageError(origin + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
}

std::string option_value(const std::string& options, const std::string& name) {
  const auto wanted = ";" + name + "=";
  const auto text = ";" + options;
  const auto at = text.find(wanted);
  if (at == std::string::npos) return "";
  const auto begin = at + wanted.size();
  return text.substr(begin, text.find(';', begin) - begin);
}

Settings settings_of_cell(Settings settings, const std::string& options) {
  for (const auto& key : kProtocolKeys) {
    const auto text = option_value(options, key.name);
    std::visit(
        [&](auto member) {
          auto& value = settings.*member;
          value = parse_number<std::remove_reference_t<decltype(value)>>(text).value_or(value);
        },
        key.member);
  }
  return settings;
}

}  // namespace ddpbench
