#include "reports/analysis/settings.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>

#include "suite/vocab/errors.hpp"

namespace ddpbench {

Settings read_settings(const std::string& experiment_toml, const std::string& origin) {
  try {
    const auto table = toml::parse(experiment_toml);
    const auto protocol = table["protocol"];
    Settings settings;
    settings.experiment = table["name"].value_or(std::string());
    settings.margin_percent = protocol["margin_percent"].value_or(settings.margin_percent);
    settings.margin_us = protocol["margin_us"].value_or(settings.margin_us);
    settings.block_steps = protocol["block_steps"].value_or(settings.block_steps);
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
  const auto read = [&](const char* name, auto& value) {
    const auto text = option_value(options, name);
    std::from_chars(text.data(), text.data() + text.size(), value);  // none: the value stays
  };
  read("margin_percent", settings.margin_percent);
  read("margin_us", settings.margin_us);
  read("block_steps", settings.block_steps);
  return settings;
}

}  // namespace ddpbench
