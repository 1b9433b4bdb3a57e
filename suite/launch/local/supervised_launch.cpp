#include "suite/launch/local/supervised_launch.hpp"

#include <algorithm>

namespace ddpbench {
namespace {

using Seconds = std::chrono::duration<double>;

// How often ranks are looked at: a hang is found within two of these, and the looks themselves must cost nothing.
Seconds look_interval(Seconds hang_timeout) { return std::clamp(hang_timeout / 10, Seconds(0.1), Seconds(1.5)); }

// Ranks give up waiting when the time is over and say more than the driver can: it waits a little longer.
constexpr Seconds kRanksFirst{1};

}  // namespace

SupervisedLaunch::SupervisedLaunch(const LaunchSpec& spec, Supervision supervision)
    : supervision_(std::move(supervision)),
      hang_timeout_(spec.protocol.hang_timeout_seconds),
      hang_watch_(static_cast<std::size_t>(spec.ranks_per_node)) {}

void SupervisedLaunch::stop() {
  if (++stops_ > 1) termination_.hasten();
  if (termination_.begin(supervision_.patience.after_stop)) terminate_ranks();
}

RunningLaunch::Wakeup SupervisedLaunch::wakeup() const {
  Wakeup wakeup{output(), termination_.time_left()};
  if (watches()) wakeup.after = std::chrono::ceil<std::chrono::milliseconds>(look_interval(hang_timeout_));
  return wakeup;
}

void SupervisedLaunch::end_after_failure(std::size_t first_failed) {
  if (watches()) hang_ = hang_watch_.given_up_by(first_failed, pids(), hang_timeout_ / 2);
  if (termination_.begin(supervision_.patience.after_failure)) terminate_ranks();
}

// One hang is one failure, of the rank that the others wait for.
void SupervisedLaunch::look_for_hang() {
  if (!watches()) return;
  const auto running = pids();
  hang_watch_.look(running, Termination::Clock::now(),
                   std::chrono::duration_cast<Termination::Clock::duration>(look_interval(hang_timeout_)), launcher());
  hang_ = hang_watch_.all_still(running, hang_timeout_ + kRanksFirst);
  if (hang_ && termination_.begin(supervision_.patience.after_failure)) terminate_ranks();
}

void SupervisedLaunch::terminate_stragglers() {
  if (termination_.takes_stragglers()) kill_all();
}

double SupervisedLaunch::wall_seconds() const { return Seconds(Termination::Clock::now() - started_).count(); }

}  // namespace ddpbench
