#include "suite/plan/own_code_section.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

bool may_begin_identifier(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Of Python, in ASCII.
bool is_identifier(std::string_view text) {
  const auto is_legal = [](char c) { return may_begin_identifier(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && may_begin_identifier(text.front()) && std::all_of(text.begin(), text.end(), is_legal);
}

std::map<std::string, std::string> read_section(const OwnCodeKind& kind, SettingList& settings, SettingChecker& checker,
                                                const std::string& origin) {
  std::map<std::string, std::string> located;
  const OptionEntry any_text{.name = kind.feature, .default_value = {}, .legal = {}, .help = {}};
  for (const auto* setting : settings.take_all(kind.section)) {
    const auto text = checker.value_of(*setting, {any_text});
    auto& where = located[setting->key];
    if (!is_identifier(setting->key)) {
      checker.add(*setting,
                  std::string("a ") + kind.feature + "'s name must be letters, digits and '_', not beginning with a digit");
      continue;
    }
    if (text.empty()) continue;
    try {
      where = located_code(kind, text, origin);
    } catch (const UsageError& error) {
      checker.add(*setting, error.what());
    }
  }
  return located;
}

std::vector<std::string> names_in(const OwnCode& own_code, const OwnCodeKind& kind) {
  std::vector<std::string> names;
  const auto found = own_code.find(kind.feature);
  if (found == own_code.end()) return names;
  for (const auto& [name, where] : found->second) names.push_back(name);
  return names;
}

}  // namespace

bool is_own_code_section(std::string_view section) {
  return std::any_of(kOwnCodeKinds.begin(), kOwnCodeKinds.end(), [&](const auto& kind) { return section == kind.section; });
}

OwnCode read_own_code(SettingList& settings, SettingChecker& checker, const std::string& origin) {
  OwnCode own_code;
  for (const auto& kind : kOwnCodeKinds) {
    auto located = read_section(kind, settings, checker, origin);
    if (!located.empty()) own_code[kind.feature] = std::move(located);
  }
  return own_code;
}

std::string why_no_own_code(const OwnCode& own_code, const ArmFacts& arm) {
  const auto values = arm.feature_values();
  for (const auto& kind : kOwnCodeKinds) {
    const auto wanted = values.find(kind.feature);
    if (wanted == values.end()) continue;
    const auto known = names_in(own_code, kind);
    if (std::find(known.begin(), known.end(), wanted->second) != known.end()) continue;
    const auto name = shown(wanted->second);
    const auto line = "none: write [" + std::string(kind.section) + "] with " + name + " = \"" + kind.form + "\"";
    return std::string("no ") + kind.feature + " '" + name + "' (known: " + (known.empty() ? line : listed(known)) + ")";
  }
  return "";
}

std::string located_code(const OwnCodeKind& kind, const std::string& text, const std::string& origin) {
  const auto colon = text.rfind(':');
  const auto file = text.substr(0, colon);
  if (colon == std::string::npos || !file.ends_with(".py") || !is_identifier(text.substr(colon + 1))) {
    throw UsageError(std::string("must be \"") + kind.form + "\", " + kind.must_be);
  }
  const auto folder = std::filesystem::path(origin).parent_path();
  const auto path = std::filesystem::absolute(folder / file).lexically_normal();
  if (!std::ifstream(path) || std::filesystem::is_directory(path)) {
    throw UsageError("cannot read " + path.string() +
                     ": must be a file of Python (its place is relative to the experiment's file)");
  }
  return path.string() + text.substr(colon);
}

}  // namespace ddpbench
