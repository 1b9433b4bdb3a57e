#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "suite/launch/launcher.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Holds what is known of a run when it begins.
struct RunFacts {
  const Probe& probe;
  const Vocabulary& vocabulary;
  const Plan& plan;
  std::string command_line;
  const Launcher& launcher;
  const Allocation& allocation;
  std::string data_origin;
  std::chrono::system_clock::time_point started;
};

// Returns what environment.json holds of a run (the store adds schema and checksums).
nlohmann::ordered_json environment_record(const RunFacts& facts);

}  // namespace ddpbench
