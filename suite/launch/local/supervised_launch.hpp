#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "suite/launch/launcher.hpp"
#include "suite/launch/local/hang_watch.hpp"
#include "suite/launch/local/termination.hpp"

namespace ddpbench {

// What launches whose ranks are processes of this machine have in common: who hangs is found, who was asked to end and does not is killed.
class SupervisedLaunch : public RunningLaunch {
 public:
  void stop() final;
  Wakeup wakeup() const final;

 protected:
  SupervisedLaunch(const LaunchSpec& spec, Supervision supervision);

  virtual std::vector<pid_t> pids() const = 0;   // of the ranks; -1: has ended, or not begun
  virtual pid_t launcher() const { return -1; }  // the process that starts the ranks; -1: they are the driver's own
  virtual std::vector<int> output() const = 0;
  virtual void terminate_ranks() const = 0;
  virtual void kill_all() const = 0;

  // For poll(): what makes a launch end before its ranks do. `first_failed`: who broke, and perhaps gave up waiting for another.
  void end_after_failure(std::size_t first_failed);
  void look_for_hang();
  void terminate_stragglers();
  double wall_seconds() const;

  const LaunchListener& listener() const { return supervision_.listener; }
  const HangWatch& hang_watch() const { return hang_watch_; }
  const std::optional<Hang>& hang() const { return hang_; }
  bool is_ending() const { return termination_.has_begun(); }

 private:
  bool watches() const { return !is_ending() && hang_timeout_.count() > 0; }

  Supervision supervision_;
  std::chrono::duration<double> hang_timeout_;  // how long ranks may stand still; 0: for ever
  Termination::Clock::time_point started_ = Termination::Clock::now();
  HangWatch hang_watch_;
  Termination termination_;
  int stops_ = 0;
  std::optional<Hang> hang_;
};

}  // namespace ddpbench
