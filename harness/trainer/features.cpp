#include "harness/trainer/features.hpp"

#include <array>

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

std::span<const TrainerFeature> features() {
  static const std::array table{
      TrainerFeature{{.name = "loops", .help = "fit, epoch and step loops: progress counters, closure-based step, empty hooks"},
                     &TrainerFeatures::loops},
      TrainerFeature{{.name = "fetch", .help = "data fetcher with its last-batch flag and the three transfer hooks"},
                     &TrainerFeatures::fetch},
      TrainerFeature{{.name = "loss", .help = "loss divided by the accumulation count, detached and cloned"},
                     &TrainerFeatures::loss},
  };
  return table;
}

TrainerFeatures trainer_features(const std::vector<std::string>& names) {
  TrainerFeatures result;
  for (const auto& name : names) result.*find_entry(features(), "feature", name).member = true;
  return result;
}

}  // namespace ddpbench
