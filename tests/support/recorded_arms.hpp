#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"

namespace ddpbench {

// The arms, features and backends of made-up results folders. `trainer_features`: those that the trainer has.
inline Vocabulary made_up_arms(std::vector<std::string> trainer_features = {}) {
  const std::string raw = "raw";
  Vocabulary tables;
  tables.arms = {
      {.name = raw, .role = ArmRole::kReference},
      {.name = "raw_again", .role = ArmRole::kAaControl, .reference = raw},
      {.name = "injected",
       .takes = {"on_device"},
       .role = ArmRole::kPositiveControl,
       .reference = raw,
       .clocks = {clock_name::kWall, clock_name::kThreadCpu, clock_name::kAwaited, clock_name::kProcessCpu}},
      {.name = "injected_periodic", .role = ArmRole::kPositiveControl, .reference = raw},
      {.name = "trainer", .features = std::move(trainer_features), .reference = raw, .is_wrapper = true},
  };
  tables.features = {
      {.name = "timers", .without_makes = ArmRole::kProbe},
      {.name = "nvtx", .without_makes = ArmRole::kProbe},
      {.name = "ideal", .makes = ArmRole::kProbe, .is_ideal_network = true},
      {.name = "on_device", .clocks = {clock_name::kDevice}},
  };
  tables.backends = {
      {.name = "gloo", .device = "cpu", .is_ring = true}, {.name = "nccl", .device = "cuda"}, {.name = "mpi", .device = "cpu"}};
  return tables;
}

// An environment.json that records its arms: those of `arms`, unless it does.
inline nlohmann::ordered_json with_arms(nlohmann::ordered_json environment, const Vocabulary& arms = made_up_arms()) {
  const auto recorded = record_vocabulary(arms);
  for (const auto& [key, value] : recorded.items()) {
    if (!environment.contains(key)) environment[key] = value;
  }
  return environment;
}

}  // namespace ddpbench
