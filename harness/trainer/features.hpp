#pragma once
#include <span>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Says which rungs of the ladder are on. Each can be switched on alone.
struct TrainerFeatures {
  bool loops = false;  // nested loops' bookkeeping: progress counters, closure, callback, module and strategy hooks
  bool fetch = false;  // data fetcher with its last-batch flag, three transfer hooks
  bool loss = false;   // loss / accumulation count, detach and clone
};

// Describes one feature, a line of the table: the facts that the vocabulary has of it, and what it switches on.
struct TrainerFeature : FeatureEntry {
  bool TrainerFeatures::*member;
};
// Returns the table of the trainer's features.
std::span<const TrainerFeature> features();

// Switches on the features of these names. Throws UsageError for an unknown name.
TrainerFeatures trainer_features(const std::vector<std::string>& names);

}  // namespace ddpbench
