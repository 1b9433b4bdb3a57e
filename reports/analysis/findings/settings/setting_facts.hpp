#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Names the settings that bring options of their own: another strategy, or another backend, has others.
inline constexpr std::array<const char*, 2> kGroupsOfSettings{"strategy", "backend"};
// Says whether `setting` is one of these.
bool holds_options(const std::string& setting);

// Maps settings to values.
using SettingValues = std::map<std::string, std::string>;
using StepsByRepetition = std::map<std::int64_t, double>;  // seconds

// Returns the median step of the reference's blocks, by repetition, seconds; for Clock::kInstructions a count.
StepsByRepetition steps_by_repetition(const Cell& cell, const std::string& reference, Clock clock);

// Holds what two cells are compared by, on behalf of one reference.
struct CellFacts {
  const Cell* cell;
  SettingValues values;
  std::vector<std::string> length_options;
  std::array<StepsByRepetition, kClockCount> steps_s;  // of the verdict's clocks
};
// Reads the facts of a cell, with the steps of `reference` on the clocks that bear verdicts.
CellFacts facts_of(const Cell& cell, const std::string& reference);

// Says whether all is alike that is not a setting: what a step has to do, and on how many ranks.
bool same_work(const CellFacts& one, const CellFacts& other);

// Names the one setting in which two cells differ; nothing where it is none or several. Another strategy or backend has other
// options: of two of them those count that both have.
std::optional<std::string> only_difference(const SettingValues& a, const SettingValues& b);

}  // namespace ddpbench
