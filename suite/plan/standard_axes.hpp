#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "suite/contract/launch_spec.hpp"
#include "suite/contract/vocabulary.hpp"

namespace ddpbench {

// One axis that every experiment has. Those with `entries` take names from the vocabulary; the others are sizes from 1 to
// `maximum`.
struct StandardAxis {
  using Member = std::variant<std::string LaunchSpec::*, std::int64_t LaunchSpec::*>;
  const char* name;
  const char* default_value;  // "": required
  Member member;
  std::vector<VocabularyEntry> Vocabulary::*entries;  // nullptr: a size
  double maximum;
};

// In the order of PlanRow, which is the order of Experiment::axes.
std::span<const StandardAxis> standard_axes();

// nullptr where there is none of that name.
const StandardAxis* find_standard_axis(const std::string& name);

// The axis as an option: type, bounds or legal names, default.
OptionEntry rule_of(const StandardAxis& axis, const Vocabulary& vocabulary);

// `text` has been checked against rule_of(axis).
void set_axis(const StandardAxis& axis, const std::string& text, LaunchSpec& spec);

// An option of the workload or strategy called `name`; nullptr where it has none of that name.
const OptionEntry* find_option(const std::vector<VocabularyEntry>& entries, const std::string& name, const std::string& option);

}  // namespace ddpbench
