#pragma once
#include <string>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/plan/setting.hpp"

namespace ddpbench {

// Holds a value as the experiment keeps it, or why it is not legal.
struct CheckedValue {
  std::string text;
  std::string why_not;
};

// Checks type, bounds and legal words. `rule.name` is the kind in "unknown backend 'x'".
CheckedValue check_value(const OptionEntry& rule, const WrittenValue& value);

// Says what is legal: "an integer from 1 to 1024", "one of imagenet, cifar".
std::string legal_text(const OptionEntry& rule);

}  // namespace ddpbench
