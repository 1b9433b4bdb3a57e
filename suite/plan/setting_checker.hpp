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

  // The one value, which must satisfy all rules; "" after a mistake.
  std::string value_of(const Setting& setting, const std::vector<OptionEntry>& rules);

  // The sound values of a list, each once.
  std::vector<std::string> values_of(const Setting& setting, const std::vector<OptionEntry>& rules);

  std::string checked(const Setting& setting, const WrittenValue& value, const std::vector<OptionEntry>& rules);
  bool is_filled_list(const Setting& setting);

  // "overhead.toml:12: axes.nodes = 0: " and why not.
  void add(const Setting& setting, const std::string& why);
  void add(const Setting& setting, const WrittenValue& value, const std::string& why);

 private:
  Mistakes& mistakes_;
};

}  // namespace ddpbench
