#pragma once
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/plan/mistakes.hpp"
#include "suite/plan/setting.hpp"

namespace ddpbench {

// Takes the values out of settings and notes what is wrong with them, with place, key, value and what is legal.
class SettingChecker {
 public:
  explicit SettingChecker(Mistakes& mistakes) : mistakes_(mistakes) {}

  // Returns the one value, which must satisfy all rules; "" after a mistake.
  std::string value_of(const Setting& setting, const std::vector<OptionEntry>& rules);

  // Returns the sound values of a list; notes a mistake for one that stands there twice.
  std::vector<std::string> values_of(const Setting& setting, const std::vector<OptionEntry>& rules);

  // Returns one value as the experiment keeps it; "" after a mistake.
  std::string checked(const Setting& setting, const WrittenValue& value, const std::vector<OptionEntry>& rules);

  // Returns whether the setting is a list with a value in it; notes a mistake where it is not.
  bool is_filled_list(const Setting& setting);

  // Notes a mistake: "overhead.toml:12: axes.nodes = 0: " and why not.
  void add(const Setting& setting, const std::string& why);
  void add(const Setting& setting, const WrittenValue& value, const std::string& why);

 private:
  Mistakes& mistakes_;
};

}  // namespace ddpbench
