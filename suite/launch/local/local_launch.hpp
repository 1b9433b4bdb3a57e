#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "suite/launch/local/local_rank_process.hpp"
#include "suite/launch/processes/child_subreaper.hpp"
#include "suite/launch/supervision/heartbeat_memory.hpp"
#include "suite/launch/supervision/supervised_launch.hpp"

namespace ddpbench {

// Runs a launch whose every rank is a child of this process, bound to its share of the cores.
class LocalLaunch : public SupervisedLaunch {
 public:
  // Starts one process per rank, with the address and secret of their store. Throws CannotRun where one cannot be started (those
  // before it are ended).
  LocalLaunch(const LaunchSpec& spec, const LaunchCommand& command, Supervision supervision);
  ~LocalLaunch() override;

  std::optional<LaunchEnd> poll() override;

 private:
  std::vector<ProcessActivity> activities() const override;
  std::vector<bool> running() const override;
  std::vector<int> output() const override;
  void ask_for_stacks() override;
  void terminate_ranks() override;
  void kill_all() override;

  void start_ranks(const LaunchCommand& command, double hang_timeout_seconds);
  void reap_ended();
  void signal_all(int signal);
  bool any_running() const;
  void end_all();
  LaunchEnd end() const;

  ChildSubreaper subreaper_;  // what a rank has forked away, as a module's own may
  HeartbeatMemory heartbeats_;
  std::vector<RankProcess> ranks_;
  std::ptrdiff_t first_failed_ = -1;
};

}  // namespace ddpbench
