#include "suite/plan/legal_value.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kTextBytes = 200;

bool may_be(Written as, OptionType type) {
  if (as == Written::kUntyped) return true;
  switch (type) {
    case OptionType::kInteger: return as == Written::kInteger;
    case OptionType::kNumber: return as == Written::kInteger || as == Written::kNumber;
    case OptionType::kSwitch: return as == Written::kSwitch;
    case OptionType::kText: return as == Written::kText;
  }
  return false;
}

CheckedValue must_be(const OptionEntry& rule) { return {"", "must be " + legal_text(rule)}; }

template <class Number>
CheckedValue check_number(const OptionEntry& rule, const std::string& text) {
  const auto number = parse_number<Number>(text);
  if (!number) return must_be(rule);
  const auto value = static_cast<double>(*number);
  // Written so that NaN, which compares as false, is refused.
  if (!(value >= rule.minimum && value <= rule.maximum)) return must_be(rule);
  return {std::is_same_v<Number, double> ? shortest_text(value + 0.0) : std::to_string(*number), ""};  // -0 is 0
}

// Opened, for that alone tells; not read.
std::string why_no_file(const std::string& path) {
  try {
    open_regular_file(path);
    return "";
  } catch (const Error& error) {
    return shown(error.what(), 500);
  }
}

// The options column separates with ';'; what cannot be shown cannot be written to TOML and CSV and read back either.
CheckedValue check_text(const OptionEntry& rule, const std::string& text) {
  const bool known = std::find(rule.legal.begin(), rule.legal.end(), text) != rule.legal.end();
  if (!rule.legal.empty() && !known) return {"", unknown_message(rule.name, text, rule.legal)};
  const bool safe = text.find(';') == std::string::npos && shown(text, kTextBytes) == text;
  if (text.empty() || text.size() > kTextBytes || !safe) return must_be(rule);
  const auto why_no = rule.is_file ? why_no_file(text) : "";
  return why_no.empty() ? CheckedValue{text, ""} : CheckedValue{"", must_be(rule).why_not + " (" + why_no + ")"};
}

}  // namespace

std::string legal_text(const OptionEntry& rule) {
  const auto bounds = " from " + readable_number(rule.minimum) + " to " + readable_number(rule.maximum);
  switch (rule.type) {
    case OptionType::kInteger: return "an integer" + bounds;
    case OptionType::kNumber:
      return "a number" + bounds + (is_word_for_default(rule, rule.default_value) ? ", or \"default\"" : "");
    case OptionType::kSwitch: return "true or false";
    case OptionType::kText: break;
  }
  if (!rule.legal.empty()) return "text in quotes, one of " + listed(rule.legal);
  if (rule.is_file) return "text in quotes, the name of a file that can be read";
  return "text in quotes, 1 to " + std::to_string(kTextBytes) + " characters without ';' and control characters";
}

CheckedValue check_value(const OptionEntry& rule, const WrittenValue& value) {
  const bool is_word = value.as == Written::kText || value.as == Written::kUntyped;
  if (is_word && is_word_for_default(rule, value.text)) return {value.text, ""};
  if (!may_be(value.as, rule.type)) return must_be(rule);
  switch (rule.type) {
    case OptionType::kInteger: return check_number<std::int64_t>(rule, value.text);
    case OptionType::kNumber: return check_number<double>(rule, value.text);
    case OptionType::kSwitch: return value.text == "true" || value.text == "false" ? CheckedValue{value.text, ""} : must_be(rule);
    case OptionType::kText: break;
  }
  return check_text(rule, value.text);
}

}  // namespace ddpbench
