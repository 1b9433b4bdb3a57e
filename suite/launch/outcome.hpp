#pragma once
#include <map>
#include <string>

namespace ddpbench {

// How one rank says that its launch ended. Written by the worker as `outcome.<rank>.json` in the part folder, by rename, last of all;
// a rank without one died.
//   {"status": "ok|failed|wrong_result|partial|skipped", "reason": "…", "arms": {"trainer": {"status": "wrong_result", "reason": "…"}},
//    "host": "node1"}
struct Outcome {
  std::string status;
  std::string reason;
  std::map<std::string, std::pair<std::string, std::string>> arms;   // those that differ from the launch: status, reason
  std::string host;
};

}  // namespace ddpbench
