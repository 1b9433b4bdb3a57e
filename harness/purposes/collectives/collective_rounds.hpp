#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/base/not_measured.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {

// Says whether two cases are measured in the same rounds: all bucket sequences of a model, by themselves and within a step.
bool take_turns(const CollectiveCase& one, const CollectiveCase& other);

// Says how often a case is repeated in a block, and in how many rounds each arm runs one.
struct CollectiveRounds {
  std::int64_t calls = 1, rounds = 1;
};

// Chooses them from what a repetition of each arm takes on its slowest rank, seconds: at most so many rounds as fit the budget,
// but always enough for an interval; blocks long enough for the fastest arm, and none too long for the slowest.
CollectiveRounds choose_rounds(const std::vector<double>& seconds_of_arms, double budget_seconds);

// Returns how many repetitions before a block's do not count: they take what the ranks' arrivals differ by, and fill the caches.
std::int64_t discarded_calls(std::int64_t calls);

// Writes numbers with a blank between them, which read back to the same, those that were not measured too.
std::string numbers_text(const std::vector<double>& numbers);
// Reads such numbers; kNotMeasured for a word that is none.
std::vector<double> numbers_of(const std::string& text);

// Holds one block of one arm, as one rank saw it; seconds of one repetition.
struct CollectiveBlock {
  double wall_s = kNotMeasured, cpu_s = kNotMeasured;
  double longest_s = kNotMeasured;  // of the single ones
};

// Holds what is known of an arm of a case over all rounds.
struct CollectiveTail {
  double p99_s = kNotMeasured, wrong_before = kNotMeasured, wrong_behind = kNotMeasured;
};

// Holds what one rank has of a case, and writes it for rank 0.
struct CollectiveResult {
  std::vector<std::vector<CollectiveBlock>> rounds;  // of each the arms
  std::vector<CollectiveTail> arms;

  std::string text() const;
  // Reads such a text, of so many arms. Throws Error where it has another number of numbers.
  static CollectiveResult from(const std::string& text, std::size_t arms);
};

}  // namespace ddpbench
