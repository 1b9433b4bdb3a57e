#include "suite/plan/setting_checker.hpp"

#include <set>
#include <utility>

#include "suite/plan/legal_value.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

std::string as_written(const WrittenValue& value) {
  if (value.as == Written::kOther) return "(" + value.text + ")";
  return value.as == Written::kText ? "\"" + shown(value.text) + "\"" : shown(value.text);
}

std::string as_written(const Setting& setting) {
  if (!setting.is_list) return as_written(setting.values.front());
  constexpr std::size_t kShownValues = 8;
  std::string text = "[";
  for (std::size_t i = 0; i < setting.values.size() && i < kShownValues; ++i)
    text += (i == 0 ? "" : ", ") + as_written(setting.values[i]);
  return text + (setting.values.size() > kShownValues ? ", …]" : "]");
}

}  // namespace

std::string SettingChecker::value_of(const Setting& setting, const std::vector<OptionEntry>& rules) {
  if (!setting.is_list) return checked(setting, setting.values.front(), rules);
  add(setting, "must be one value, " + legal_text(rules.front()) + " (to sweep it, put it under [axes])");
  return "";
}

std::vector<std::string> SettingChecker::values_of(const Setting& setting, const std::vector<OptionEntry>& rules) {
  std::vector<std::string> values;
  if (!is_filled_list(setting)) return values;
  std::set<std::string> seen;
  for (const auto& value : setting.values) {
    auto text = checked(setting, value, rules);
    if (text.empty()) continue;
    if (!seen.insert(text).second) add(setting, value, "is given twice: must be given once");
    values.push_back(std::move(text));
  }
  return values;
}

bool SettingChecker::is_filled_list(const Setting& setting) {
  if (!setting.is_list) add(setting, "must be a list in square brackets");
  if (setting.is_list && setting.values.empty()) add(setting, "is empty: must hold at least one value");
  return setting.is_list && !setting.values.empty();
}

std::string SettingChecker::checked(const Setting& setting, const WrittenValue& value, const std::vector<OptionEntry>& rules) {
  std::string text;
  for (const auto& rule : rules) {
    auto result = check_value(rule, value);
    if (!result.why_not.empty()) {
      add(setting, value, result.why_not);
      return "";
    }
    text = std::move(result.text);
  }
  return text;
}

void SettingChecker::add(const Setting& setting, const std::string& why) {
  mistakes_.add(setting.where + ": " + shown(full_key(setting)) + " = " + as_written(setting) + ": " + why);
}

void SettingChecker::add(const Setting& setting, const WrittenValue& value, const std::string& why) {
  mistakes_.add(setting.where + ": " + shown(full_key(setting)) + " = " + as_written(value) + ": " + why);
}

}  // namespace ddpbench
