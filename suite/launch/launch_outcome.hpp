#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suite/contract/processes/outcome.hpp"
#include "suite/launch/processes/launch_end.hpp"

namespace ddpbench {

// Holds what is written of a launch: one status and reason for its arms, and those of the arms that differ.
struct LaunchOutcome {
  std::string status, reason;
  std::map<std::string, std::pair<std::string, std::string>> arms;
  std::string host_list;                          // "n1 n2", each once
  std::map<std::string, std::string> facts{};     // of Outcome: one value where all ranks agree, else "rank 0: a, rank 1: b"
  std::map<std::string, std::string> versions{};  // of Outcome, as facts
};

// Judges how the processes ended and what the ranks left behind (one entry per rank; nothing: it left none). The ranks' word
// counts only where all of them gave it: one that died cannot say that all is well.
LaunchOutcome judge(const LaunchEnd& end, const std::vector<std::optional<Outcome>>& outcomes);

}  // namespace ddpbench
