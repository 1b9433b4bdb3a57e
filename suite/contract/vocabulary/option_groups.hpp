#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Names the groups of options: the lines of option_groups.inc.
enum class OptionGroup : std::size_t {
#define DDPBENCH_OPTION_GROUP(group, ...) group,
#include "suite/contract/vocabulary/option_groups.inc"
#undef DDPBENCH_OPTION_GROUP
};

// Says what chooses the entries whose options count: an axis, the arms, or the launcher.
enum class EntrySelector { kAxis, kArms, kLauncher };

// Describes one group of options.
struct OptionGroupEntry {
  OptionGroup group;
  const char* name;   // of its table in an experiment, and of its axis where that chooses
  EntriesOf entries;  // whose options these are
  EntrySelector selector;
};

// Lists every group, in the order of option_groups.inc.
inline constexpr std::array kOptionGroups{
#define DDPBENCH_OPTION_GROUP(group, name, section, selector) \
  OptionGroupEntry{OptionGroup::group, #name, entries_of<&Vocabulary::section>, EntrySelector::selector},
#include "suite/contract/vocabulary/option_groups.inc"
#undef DDPBENCH_OPTION_GROUP
};

// Holds one value for each group.
template <class Value>
class PerOptionGroup {
 public:
  Value& operator[](OptionGroup group) { return values_[static_cast<std::size_t>(group)]; }
  const Value& operator[](OptionGroup group) const { return values_[static_cast<std::size_t>(group)]; }

  bool operator==(const PerOptionGroup&) const = default;

 private:
  std::array<Value, kOptionGroups.size()> values_{};
};

// Returns whether a table of an experiment of this name holds options.
inline bool holds_options(std::string_view table) {
  for (const auto& group : kOptionGroups) {
    if (group.name == table) return true;
  }
  return false;
}

}  // namespace ddpbench
