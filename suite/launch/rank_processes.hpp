#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "suite/launch/hang_watch.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/rank_process.hpp"
#include "suite/launch/signal_inbox.hpp"

namespace ddpbench {

// How long ranks may take to end when they are asked to. A launch must be gone ten seconds after it broke or was stopped; a
// stopped one gets the longer time, to finish its step and write its last rows.
struct Patience {
  std::chrono::milliseconds after_failure{5000};
  std::chrono::milliseconds after_stop{8000};
  // How long ranks may stand still (0: for ever). Ranks give up by themselves after this; the driver ends them where they cannot.
  std::chrono::duration<double> hang{0};
};

// All processes of one launch on this machine; at most one object at a time. Its destruction leaves no process behind.
class RankProcesses {
 public:
  // Starts one process per command, with the port and socket of their store; binds each to its share of the cores, if given.
  // Throws CannotRun where one cannot be started (those before it are ended).
  RankProcesses(const std::vector<RankCommand>& commands, const std::vector<std::vector<int>>& core_shares,
                RankListener listener);
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  // Returns when every rank has ended. When one breaks, the others are ended; when the driver is asked to stop, all are, and at
  // once when it is asked again. Sleeps until something happens.
  LaunchEnd watch(SignalInbox& inbox, const Patience& patience = {});

 private:
  using Clock = std::chrono::steady_clock;
  void wait_for_news(const SignalInbox& inbox, const Patience& patience) const;
  void look_for_hang(LaunchEnd& end, const Patience& patience);
  std::vector<pid_t> pids() const;
  void reap_ended(LaunchEnd& end, const Patience& patience);
  void obey(const SignalInbox& inbox, LaunchEnd& end, const Patience& patience);
  void ask_to_end(std::chrono::milliseconds patience);
  void kill_the_late();
  void signal_all(int signal) const;
  bool any_running() const;
  void end_all();

  RankListener listener_;
  Clock::time_point started_ = Clock::now();
  HangWatch hang_watch_;
  std::vector<RankProcess> ranks_;
  std::optional<Clock::time_point> deadline_;  // set: they were asked to end, and are killed then
  bool killed_ = false;
};

}  // namespace ddpbench
