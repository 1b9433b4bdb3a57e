#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "suite/launch/rank_progress.hpp"
#include "suite/launch/time_left.hpp"

namespace ddpbench {

// Returns "[2/5] null ddp gloo x2 | measure | 12 super-blocks | 3.4/30 s | about 1 min 30 s left".
std::string progress_text(const LaunchPlace& place, const RankProgress& progress, double seconds_left);

// Shows how the run goes: a bar that is redrawn on a terminal, a line every ten seconds in a log. Other lines go through it, so
// that they do not run into the bar; what ranks say is made printable. One per run.
class ProgressDisplay {
 public:
  using Clock = std::chrono::steady_clock;
  struct Screen {
    bool is_terminal = false;
    std::size_t columns = 80;
    std::function<Clock::time_point()> now = Clock::now;
  };

  // Returns whether a descriptor is a terminal, and how wide it is.
  static Screen screen_of(int fd);

  ProgressDisplay(std::ostream& out, Screen screen) : out_(out), screen_(std::move(screen)) {}
  ~ProgressDisplay() { clear_bar(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void start_launch(LaunchPlace place);
  void show(const RankProgress& progress);
  void print_line(std::string_view line);
  void clear_bar();

 private:
  void draw_bar(const RankProgress& progress, double seconds_left);

  std::ostream& out_;
  Screen screen_;
  LaunchPlace place_;
  TimeLeft time_left_;
  std::optional<Clock::time_point> last_shown_;
  std::string last_stage_;
  bool bar_is_drawn_ = false;
};

}  // namespace ddpbench
