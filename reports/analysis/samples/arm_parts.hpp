#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/samples/environment_facts.hpp"

namespace ddpbench {

// An arm's name as it is written: `trainer-fetch+log` is base `trainer`, without `fetch`, with `log`.
struct ArmParts {
  std::string base;
  std::vector<std::string> added, removed;
};
ArmParts arm_parts(std::string_view arm);

// The features in force: the base's own that were not taken away, in order, then those added. Empty where the base is not in the
// table.
std::vector<std::string> features_of(const ArmParts& parts, const ArmFeatures& features);

// The feature of an arm whose collectives are dropped.
inline constexpr const char* kIdealFeature = "ideal";

// Raw without the probe's marks or with an ideal network: measures the measurement and the network, and drives no other loop.
bool is_probe(std::string_view arm);

}  // namespace ddpbench
