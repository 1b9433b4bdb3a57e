#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/launch/launcher.hpp"
#include "suite/launch/supervision/hang_detector.hpp"

namespace ddpbench {

// Says when the stragglers among processes that were asked to end are killed.
class Termination {
 public:
  using Clock = std::chrono::steady_clock;

  // Returns whether this was the first call: only then are the processes to be asked. Later calls change nothing.
  bool begin(std::chrono::milliseconds patience) {
    if (deadline_) return false;
    deadline_ = Clock::now() + patience;
    return true;
  }
  void hasten() { deadline_ = Clock::now(); }  // the time is over now
  bool has_begun() const { return deadline_.has_value(); }

  // Returns true once, when the time is over.
  bool takes_stragglers() {
    if (killed_ || !deadline_ || Clock::now() < *deadline_) return false;
    return killed_ = true;
  }

  // Returns the time until then; nothing where it has not begun or is done.
  std::optional<std::chrono::milliseconds> time_left() const {
    if (killed_ || !deadline_) return std::nullopt;
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()), std::chrono::milliseconds(0));
  }

 private:
  std::optional<Clock::time_point> deadline_;
  bool killed_ = false;
};

// Returns "rank 0", "rank 1", …
std::vector<std::string> rank_names(std::int64_t ranks);

// Stops a launch when it is asked to, when a rank fails or when none moves; subclasses say what they see of their ranks, and how
// to end them.
class SupervisedLaunch : public RunningLaunch {
 public:
  void stop() final;
  Wakeup wakeup() const final;

 protected:
  // `names`: what each rank is called, "rank 1".
  SupervisedLaunch(const LaunchSpec& spec, std::vector<std::string> names, Supervision supervision);

  virtual std::vector<ProcessActivity> activities() const = 0;  // by rank
  virtual std::vector<bool> running() const = 0;                // likewise; false: has ended
  virtual std::optional<Hang> out_of_sight() const {
    return std::nullopt;
  }  // a rank of which nobody has heard for half of the hang timeout
  virtual ProcessActivity launcher_activity() const {
    return {};
  }  // of the process that starts the ranks; the driver's own have none
  virtual std::vector<int> output() const = 0;
  virtual bool has_more() const { return false; }  // that was read and not looked at: poll() is to come again at once
  virtual void ask_for_stacks() = 0;               // kStackSignal to every rank
  virtual void terminate_ranks() = 0;
  virtual void kill_all() = 0;

  // Ends, for poll(), a launch before its ranks do. `first_failed`: who broke; perhaps it gave up waiting for another.
  void end_after_failure(std::size_t first_failed, bool may_have_given_up = true);
  void look_for_hang();
  void end_after_hang(Hang hang);  // that was found otherwise
  void terminate_stragglers();
  double wall_seconds() const;  // since it was started

  const LaunchListener& listener() const { return supervision_.listener; }
  const TerminationTimeouts& patience() const { return supervision_.patience; }
  const std::optional<Hang>& hang() const { return hang_; }
  std::chrono::duration<double> hang_timeout() const { return hang_timeout_; }
  std::chrono::duration<double> look_interval() const;  // how often ranks are looked at
  bool is_ending() const { return termination_.has_begun(); }

 private:
  void let_ranks_say_where();
  std::string limit_text(std::chrono::duration<double> limit) const;
  bool watches() const { return !is_ending() && hang_timeout_.count() > 0; }

  Supervision supervision_;
  std::chrono::duration<double> hang_timeout_;        // how long ranks may stand still; 0: for ever
  std::chrono::duration<double> first_step_timeout_;  // how long they may stay in one phase while they compute
  Termination::Clock::time_point started_ = Termination::Clock::now();
  HangDetector hang_detector_;
  Termination termination_;
  int stops_ = 0;
  std::optional<Hang> hang_;
};

}  // namespace ddpbench
