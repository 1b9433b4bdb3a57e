#include "suite/contract/launch/option_values.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

template <class Number>
Number parsed(const std::string& name, const std::string& text) {
  const auto value = parse_number<Number>(text);
  if (!value) throw UsageError("option " + name + " takes a number, not '" + text + "'");
  return *value;
}

}  // namespace

const std::string& OptionValues::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw UsageError("option " + name + " is not given");
  return found->second;
}

std::int64_t OptionValues::integer(const std::string& name) const { return parsed<std::int64_t>(name, text(name)); }

double OptionValues::number(const std::string& name) const { return parsed<double>(name, text(name)); }

bool OptionValues::is_on(const std::string& name) const {
  const auto& value = text(name);
  if (value != "true" && value != "false") throw UsageError("option " + name + " must be true or false, not '" + value + "'");
  return value == "true";
}

double OptionValues::number_or(const std::string& name, double where_default) const {
  return text(name) == "default" ? where_default : number(name);
}

std::map<std::string, std::string> default_values(const std::vector<OptionEntry>& options) {
  std::map<std::string, std::string> values;
  for (const auto& option : options) values[option.name] = option.default_value;
  return values;
}

}  // namespace ddpbench
