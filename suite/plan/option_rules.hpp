#pragma once
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Tells what the options of the listed entries of one group (workloads, strategies, …) allow. Two of them may have an option of
// the same name with other legal values: a value must be legal for all that know it.
class OptionRules {
 public:
  OptionRules() = default;

  // Takes the entries that are `listed` on the axis. Where that is empty (all of them were mistaken) every entry counts, so that
  // one mistake is told once.
  OptionRules(const std::vector<EntryView>& entries, const std::vector<std::string>& listed);

  // Returns the rules of an option, one of each entry that has it.
  std::vector<OptionEntry> rules(const std::string& option) const;
  std::vector<std::string> known() const;   // option names, in the order of the table
  std::vector<std::string> groups() const;  // whose options these are

 private:
  std::vector<EntryView> entries_;
};

}  // namespace ddpbench
