#include "suite/plan/experiment_source.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/toml_bounds.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/plan/own_code_section.hpp"

namespace ddpbench {
namespace {

// The tables of an experiment; any other table is an unknown key.
bool is_section(std::string_view name) {
  return name == "axes" || name == "arms_where" || name == "protocol" || name == "quick" || is_own_code_section(name) ||
         holds_options(name);
}

std::string quoted_line(const std::string& text, std::size_t number) {
  std::istringstream lines(text);
  std::string line;
  for (std::size_t i = 0; i < number; ++i) {
    if (!std::getline(lines, line)) return "";
  }
  return "\n  " + std::to_string(number) + " | " + shown(line);
}

WrittenValue written_value(const toml::node& node) {
  if (const auto* text = node.as_string()) return {Written::kText, text->get()};
  if (const auto* integer = node.as_integer()) return {Written::kInteger, std::to_string(integer->get())};
  if (const auto* number = node.as_floating_point()) return {Written::kNumber, shortest_text(number->get())};
  if (const auto* flag = node.as_boolean()) return {Written::kSwitch, flag->get() ? "true" : "false"};
  std::ostringstream name;
  name << node.type();
  return {Written::kOther, name.str()};
}

// Collects settings with their place in the file: toml++ keeps tables sorted by key, people read from the top.
class TomlWalk {
 public:
  explicit TomlWalk(const std::string& origin) : origin_(origin) {}

  void table(const std::string& section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const bool enters = section.empty() && is_section(key.str()) && node.is_table();
      if (enters) {
        this->table(std::string(key.str()), *node.as_table());
      } else {
        add(section, key, node);
      }
    }
  }

  std::vector<Setting> take() {
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Setting> settings;
    for (auto& [place, setting] : found_) settings.push_back(std::move(setting));
    return settings;
  }

 private:
  using Place = std::pair<toml::source_index, toml::source_index>;

  void add(const std::string& section, const toml::key& key, const toml::node& node) {
    const auto place = key.source().begin;
    Setting setting{
        .section = section, .key = std::string(key.str()), .where = origin_ + ":" + std::to_string(place.line), .values = {}};
    if (const auto* array = node.as_array()) {
      setting.is_list = true;
      for (const auto& element : *array) setting.values.push_back(written_value(element));
    } else {
      setting.values.push_back(written_value(node));
    }
    found_.emplace_back(Place{place.line, place.column}, std::move(setting));
  }

  std::string origin_;
  std::vector<std::pair<Place, Setting>> found_;
};

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<WrittenValue> split_values(const std::string& text) {
  std::vector<WrittenValue> values;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) values.push_back({Written::kUntyped, trimmed(part)});
  if (text.ends_with(',')) values.push_back({Written::kUntyped, ""});
  return values;
}

Setting setting_from(const std::string& text) {
  const auto equals = std::min(text.find('='), text.size());
  Setting setting{.section = "", .key = trimmed(text.substr(0, equals)), .where = "--set " + shown(text), .values = {}};
  const auto dot = setting.key.find('.');
  if (dot != std::string::npos && is_section(setting.key.substr(0, dot))) {
    setting.section = setting.key.substr(0, dot);
    setting.key = setting.key.substr(dot + 1);
  }
  if (equals < text.size()) setting.values = split_values(text.substr(equals + 1));
  setting.is_list = setting.values.size() > 1;
  setting.from_command_line = true;
  return setting;
}

}  // namespace

std::vector<Setting> settings_from_toml(const std::string& text, const std::string& origin) {
  require_bounded_toml(text, origin);
  try {
    TomlWalk walk(origin);
    walk.table("", toml::parse(text, origin));
    return walk.take();
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    throw UsageError(origin + ":" + std::to_string(line) + ": not TOML: " + shown(error.description(), 300) +
                     quoted_line(text, line));
  }
}

std::vector<Setting> settings_from_command_line(const std::vector<std::string>& texts, Mistakes& mistakes) {
  std::vector<Setting> settings;
  std::set<std::string> keys;
  for (const auto& text : texts) {
    auto setting = setting_from(text);
    if (setting.key.empty() || setting.values.empty()) {
      mistakes.add(setting.where + ": must be key=value or key=value,value, as in --set backend=gloo,nccl");
    } else if (!keys.insert(setting.key).second) {
      mistakes.add(setting.where + ": '" + shown(setting.key) +
                   "' is set twice: give all its values at once, as in --set backend=gloo,nccl");
    } else {
      settings.push_back(std::move(setting));
    }
  }
  return settings;
}

}  // namespace ddpbench
