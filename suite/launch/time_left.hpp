#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "suite/launch/rank_progress.hpp"

namespace ddpbench {

// Says which launch of how many is running, and bounds the measuring time of those after it.
struct LaunchPlace {
  std::size_t number = 1, count = 1;
  std::string cell;
  double max_seconds = 0;
  double later_seconds = 0;
  std::int64_t min_super_blocks = 0;  // taken also beyond max_seconds
};

// Estimates how long a run still takes. A launch measures for a known time, but it also starts up, checks, warms up and counts:
// how much longer it takes for that is learned from the launches that have ended, and before those from this one's own way to its
// measurement. One object per run.
class TimeLeft {
 public:
  using Clock = std::chrono::steady_clock;

  void start_launch(const LaunchPlace& place, Clock::time_point now);

  // Returns the time left of the run, seconds; never negative.
  double seconds(const RankProgress& progress, Clock::time_point now);

  bool has_finished_measuring() const { return has_finished_measuring_; }  // the launch that runs

 private:
  double of_measuring(const RankProgress& progress) const;
  double per_planned_second(double running, double measured) const;

  LaunchPlace place_;
  std::optional<Clock::time_point> started_;
  bool has_measured_ = false, has_finished_measuring_ = false;  // this launch
  double measured_ = 0;                                         // of it so far
  double planned_of_ended_ = 0, wall_of_ended_ = 0;             // launches that measured to their end
};

// Writes "45 s", "1 min 30 s", "2 h 05 min".
std::string time_left_text(double seconds);

}  // namespace ddpbench
