#include "reports/analysis/samples/settings.hpp"

#include <toml++/toml.h>

#include <sstream>
#include <utility>
#include <variant>

#include "suite/base/errors.hpp"
#include "suite/contract/field_text.hpp"
#include "suite/contract/launch/options.hpp"
#include "suite/contract/toml_bounds.hpp"

namespace ddpbench {
namespace {

std::string value_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  std::ostringstream words;
  node.visit([&](const auto& value) { words << value; });
  return words.str();
}

template <class Value>
void read_value(toml::node_view<const toml::node> node, Value& value) {
  value = node.value_or(value);
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
  require_bounded_toml(experiment_toml, origin);
  try {
    const auto table = toml::parse(experiment_toml);
    const toml::node_view<const toml::node> protocol = std::as_const(table)["protocol"];
    Settings settings;
    settings.experiment = table["name"].value_or(std::string());
    for (const auto& field : protocol_fields()) {
      std::visit([&](auto member) { read_value(protocol[field.key], settings.protocol.*member); }, field.member);
    }
    settings.confidence = confidence_of_a_look(settings.protocol.looks);
    if (const auto* axes = table["axes"].as_table()) settings.axes = axes_of(*axes);
    return settings;
  } catch (const toml::parse_error& error) {
    throw UsageError(origin + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
  }
}

CellSettings settings_of_cell(const CellSettings& of_experiment, const std::string& options) {
  auto settings = of_experiment;
  for (const auto& field : protocol_fields()) {
    const auto text = option_value(options, field.key);
    std::visit([&](auto member) { read_field(text, settings.protocol.*member); }, field.member);
  }
  settings.confidence = confidence_of_a_look(settings.protocol.looks);
  return settings;
}

double confidence_of_a_look(std::int64_t looks) { return 1 - kErrorRate / static_cast<double>(looks); }

}  // namespace ddpbench
