#include "suite/plan/option_rules.hpp"

#include <algorithm>

namespace ddpbench {

OptionRules::OptionRules(const std::vector<EntryView>& entries, const std::vector<std::string>& listed) {
  for (const auto& entry : entries) {
    if (listed.empty() || std::find(listed.begin(), listed.end(), entry.name) != listed.end()) entries_.push_back(entry);
  }
}

std::vector<OptionEntry> OptionRules::rules(const std::string& option) const {
  std::vector<OptionEntry> rules;
  for (const auto& entry : entries_) {
    for (const auto& rule : entry.options) {
      if (rule.name == option) rules.push_back(rule);
    }
  }
  return rules;
}

std::vector<std::string> OptionRules::known() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) {
    for (const auto& option : entry.options) {
      if (std::find(names.begin(), names.end(), option.name) == names.end()) names.push_back(option.name);
    }
  }
  return names;
}

std::vector<std::string> OptionRules::groups() const {
  std::vector<std::string> names;
  for (const auto& entry : entries_) names.emplace_back(entry.name);
  return names;
}

}  // namespace ddpbench
