#pragma once
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "suite/launch/agents/torchrun_output.hpp"
#include "suite/launch/processes/child_process.hpp"
#include "suite/launch/processes/child_subreaper.hpp"
#include "suite/launch/processes/output_lines.hpp"
#include "suite/launch/supervision/heartbeat_memory.hpp"
#include "suite/launch/supervision/supervised_launch.hpp"

namespace ddpbench {

// Runs a launch whose ranks are children of a torchrun, which is a child of this process. torchrun puts each rank into a session
// of its own and leaves it running when it is killed: the ranks ask the system to die with it (die_with_driver), and what is left
// is ours to end.
class TorchrunLaunch : public SupervisedLaunch {
 public:
  // Throws CannotRun where torchrun cannot be started.
  TorchrunLaunch(const LaunchSpec& spec, const LaunchCommand& command, Supervision supervision);
  ~TorchrunLaunch() override;

  std::optional<LaunchEnd> poll() override;

 private:
  std::vector<ProcessActivity> activities() const override;
  std::vector<bool> running() const override;
  ProcessActivity launcher_activity() const override { return observe_process(launcher(), nullptr); }
  std::vector<int> output() const override;
  void ask_for_stacks() override;
  void terminate_ranks() override;
  void kill_all() override;

  pid_t launcher() const { return running_ ? child_.pid : -1; }
  std::vector<pid_t> pids() const;
  void hear(std::string_view line, bool is_error);
  void hear_own(std::string_view line);
  bool reap();
  std::optional<std::size_t> ended_rank() const;
  std::map<std::size_t, pid_t> started_ranks() const;
  LaunchEnd end() const;
  std::vector<std::optional<ProcessEnd>> ends_by_rank() const;

  std::size_t ranks_;
  ChildSubreaper subreaper_;
  HeartbeatMemory heartbeats_;
  FileDescriptor rendezvous_;  // memory that holds torchrun's own rendezvous
  ChildProcess child_;
  OutputLines out_, err_;
  bool running_ = true;
  ProcessEnd own_end_;      // torchrun's
  std::string why_killed_;  // its ranks that were, as the system says
  TorchrunOutputParser words_;
  std::optional<std::size_t> first_ended_;                    // when torchrun began to end the others
  bool has_failed_rank_ = false;                              // it began to end the others, and nobody had asked it to
  std::optional<Termination::Clock::time_point> told_until_;  // when torchrun is killed, its ranks being dead
  std::set<std::size_t> stragglers_;                          // that kill_all() met
  std::map<std::size_t, LastLines> last_lines_;               // by rank, of standard error
};

}  // namespace ddpbench
