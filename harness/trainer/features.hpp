#pragma once
#include <span>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// The rungs of the ladder that this build has. Each can be switched on alone.
struct TrainerFeatures {
  bool loops = false;  // nested loops' bookkeeping: progress counters, closure, callback, module and strategy hooks
  bool fetch = false;  // data fetcher with its last-batch flag, three transfer hooks
  bool loss = false;   // loss / accumulation count, detach and clone
};

// One line of the table of features: the facts that the vocabulary has of it, and what it switches on.
struct FeatureEntry : VocabularyEntry {
  bool TrainerFeatures::*member;
};
std::span<const FeatureEntry> features();

// Throws UsageError for an unknown name.
TrainerFeatures trainer_features(const std::vector<std::string>& names);

}  // namespace ddpbench
