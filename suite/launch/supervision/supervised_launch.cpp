#include "suite/launch/supervision/supervised_launch.hpp"

#include <algorithm>
#include <thread>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

using Seconds = std::chrono::duration<double>;

// Ranks give up waiting when the time is over and say more than the driver can: it waits a little longer.
constexpr Seconds kRanksFirst{1};

}  // namespace

std::vector<std::string> rank_names(std::int64_t ranks) {
  std::vector<std::string> names;
  for (std::int64_t rank = 0; rank < ranks; ++rank) names.push_back("rank " + std::to_string(rank));
  return names;
}

SupervisedLaunch::SupervisedLaunch(const LaunchSpec& spec, std::vector<std::string> names, Supervision supervision)
    : supervision_(std::move(supervision)),
      hang_timeout_(spec.protocol.hang_timeout_seconds),
      first_step_timeout_(spec.protocol.first_step_timeout_seconds),
      hang_detector_(std::move(names)) {}

void SupervisedLaunch::stop() {
  if (++stops_ > 1) termination_.hasten();
  if (termination_.begin(supervision_.patience.after_stop)) terminate_ranks();
}

RunningLaunch::Wakeup SupervisedLaunch::wakeup() const {
  Wakeup wakeup{output(), termination_.time_left()};
  if (watches() || (is_ending() && !wakeup.after)) wakeup.after = std::chrono::ceil<std::chrono::milliseconds>(look_interval());
  if (has_more()) wakeup.after = std::chrono::milliseconds(0);
  return wakeup;
}

void SupervisedLaunch::end_after_failure(std::size_t first_failed, bool may_have_given_up) {
  if (watches() && may_have_given_up) {
    const auto told = hang_detector_.limit_of(first_failed);
    const auto limit = told.count() > 0 ? told : hang_timeout_;
    const auto unseen = out_of_sight();
    hang_ = unseen ? unseen : hang_detector_.given_up_by(first_failed, running(), limit, look_interval());
    if (hang_) hang_->words += limit_text(unseen ? hang_timeout_ : limit);
    if (hang_) let_ranks_say_where();
  }
  if (termination_.begin(supervision_.patience.after_failure)) terminate_ranks();
}

// One hang is one failure, of the rank that the others wait for.
void SupervisedLaunch::look_for_hang() {
  if (!watches()) return;
  const auto now = Termination::Clock::now();
  const auto interval = std::chrono::duration_cast<Termination::Clock::duration>(look_interval());
  if (hang_detector_.is_due(now, interval)) hang_detector_.look(activities(), now, interval, launcher_activity());
  if (auto hang = hang_detector_.all_still(running(), hang_timeout_ + kRanksFirst)) {
    if (auto unseen = out_of_sight()) hang = std::move(unseen);  // what was last seen of it is long past
    hang->words += limit_text(hang_timeout_);
    return end_after_hang(*std::move(hang));
  }
  const auto start = std::max(hang_timeout_, first_step_timeout_);
  if (auto hang = hang_detector_.all_stuck(running(), start + kRanksFirst)) {
    hang->words += limit_text(start);
    end_after_hang(*std::move(hang));
  }
}

// " (KEY = SECONDS)", by the key that is the limit.
std::string SupervisedLaunch::limit_text(Seconds limit) const {
  const auto key = limit > hang_timeout_ ? "first_step_timeout_seconds" : "hang_timeout_seconds";
  return std::string(" (") + key + " = " + shortest_text(limit.count()) + ")";
}

void SupervisedLaunch::end_after_hang(Hang hang) {
  hang_ = std::move(hang);
  let_ranks_say_where();
  if (termination_.begin(supervision_.patience.after_failure)) terminate_ranks();
}

// A rank that is asked to end may do so at once, in the middle of what it says.
void SupervisedLaunch::let_ranks_say_where() {
  constexpr std::chrono::milliseconds kToSay{300};
  ask_for_stacks();
  std::this_thread::sleep_for(kToSay);
}

void SupervisedLaunch::terminate_stragglers() {
  if (termination_.takes_stragglers()) kill_all();
}

// A hang is found within two of these, and the looks themselves must cost nothing.
std::chrono::duration<double> SupervisedLaunch::look_interval() const {
  return std::clamp(hang_timeout_ / 10, Seconds(0.1), Seconds(1.5));
}

double SupervisedLaunch::wall_seconds() const { return Seconds(Termination::Clock::now() - started_).count(); }

}  // namespace ddpbench
