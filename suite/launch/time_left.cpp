#include "suite/launch/time_left.hpp"

#include <algorithm>
#include <cmath>

namespace ddpbench {
namespace {

constexpr const char* kMeasure = "measure";

double seconds_between(TimeLeft::Clock::time_point from, TimeLeft::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void TimeLeft::start_launch(const LaunchPlace& place, Clock::time_point now) {
  if (started_ && has_finished_measuring_) {
    planned_of_ended_ += place_.max_seconds;
    wall_of_ended_ += seconds_between(*started_, now);
  }
  place_ = place;
  started_ = now;
  has_measured_ = has_finished_measuring_ = false;
  measured_ = 0;
}

double TimeLeft::seconds(const RankProgress& progress, Clock::time_point now) {
  if (!started_) started_ = now;
  if (progress.stage == kMeasure) {
    has_measured_ = true;
    measured_ = progress.elapsed_seconds;
  } else {
    has_finished_measuring_ = has_measured_;
  }
  const double running = seconds_between(*started_, now);
  const double rate = per_planned_second(running, measured_);
  return std::max({of_measuring(progress), rate * place_.max_seconds - running, 0.0}) + rate * place_.later_seconds;
}

// Of this launch. A rank may know that its fewest super-blocks take longer than the cap; at the pace so far they may, too.
double TimeLeft::of_measuring(const RankProgress& progress) const {
  if (progress.stage != kMeasure) return has_measured_ ? 0 : place_.max_seconds;
  const double cap = std::max(place_.max_seconds, progress.max_seconds);
  const auto missing = static_cast<double>(place_.min_super_blocks - progress.super_blocks);
  const double by_pace =
      progress.super_blocks > 0 ? progress.elapsed_seconds / static_cast<double>(progress.super_blocks) * missing : 0;
  return std::max({cap - progress.elapsed_seconds, by_pace, 0.0});
}

// Seconds that a launch takes for each of its max_seconds.
double TimeLeft::per_planned_second(double running, double measured) const {
  if (planned_of_ended_ > 0) return wall_of_ended_ / planned_of_ended_;
  return place_.max_seconds > 0 ? 1 + std::max(running - measured, 0.0) / place_.max_seconds : 1;
}

std::string time_left_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
  const auto two_digits = [](long value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole % 3600 / 60) + " min";
}

}  // namespace ddpbench
