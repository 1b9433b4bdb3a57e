#pragma once
#include <string>
#include <vector>

#include "harness/launch/rank_runtime.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Runs the whole life of a rank's process behind its command line, in whatever program it is: heartbeat, signals, checks of
// `tokens` (a launch specification's), the launch, its outcome file. Complains on stderr with `program` in front and returns what
// the process exits with. Throws nothing.
ExitCode run_rank_process(const std::string& program, const std::vector<std::string>& tokens, RankRuntime& runtime);

// Serves ddpbench-worker, which brings no arm but the harness's own.
class WorkerRuntime final : public RankRuntime {
 public:
  std::unique_ptr<Arm> make_arm(const RuntimeArmRequest& request) override;
};

// Says `error` on stderr, each message on a line with `program` in front; returns what the process exits with.
ExitCode complain_of(const std::string& program, const std::exception& error);

// Ends a rank's process, as its last call, without destructors of the backend, which wait for ever for a peer that died.
[[noreturn]] void leave_process(ExitCode code);

}  // namespace ddpbench
