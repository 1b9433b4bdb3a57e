#include "suite/launch/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "suite/launch/processes/output_lines.hpp"

namespace ddpbench {
namespace {

constexpr std::chrono::milliseconds kRedraw{200};
constexpr std::chrono::seconds kLogInterval{10};
constexpr std::size_t kBarWidth = 20;

std::string one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", value);
  return text;
}

// The part of the measurement that is done, by time.
double done_share(const RankProgress& progress) {
  if (progress.stage != "measure" || progress.max_seconds <= 0) return 0;
  return std::clamp(progress.elapsed_seconds / progress.max_seconds, 0.0, 1.0);
}

std::string bar_text(double share) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "]";
}

}  // namespace

std::string progress_text(const LaunchPlace& place, const RankProgress& progress, double seconds_left) {
  std::string text = "[" + std::to_string(place.number) + "/" + std::to_string(place.count) + "] " + place.cell;
  text += " | " + progress.stage;
  if (progress.super_blocks > 0) text += " | " + std::to_string(progress.super_blocks) + " super-blocks";
  text += " | " + one_decimal(progress.elapsed_seconds);
  if (progress.max_seconds > 0) text += "/" + one_decimal(progress.max_seconds);
  return text + " s | about " + time_left_text(seconds_left) + " left";
}

ProgressDisplay::Screen ProgressDisplay::screen_of(int fd) {
  Screen screen;
  screen.is_terminal = ::isatty(fd) == 1;
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) screen.columns = size.ws_col;
  return screen;
}

void ProgressDisplay::start_launch(LaunchPlace place) {
  place_ = std::move(place);
  time_left_.start_launch(place_, screen_.now());
  last_shown_.reset();
  last_stage_.clear();
  if (!screen_.is_terminal) {
    const auto at_most = place_.max_seconds > 0 ? ", at most " + time_left_text(place_.max_seconds) + " of measuring" : "";
    print_line("launch " + std::to_string(place_.number) + " of " + std::to_string(place_.count) + ": " + place_.cell + at_most);
  }
}

void ProgressDisplay::show(const RankProgress& progress) {
  const auto now = screen_.now();
  const double left = time_left_.seconds(progress, now);
  const auto interval = screen_.is_terminal ? Clock::duration(kRedraw) : Clock::duration(kLogInterval);
  const bool is_news = progress.stage != last_stage_;
  if (!is_news && last_shown_ && now - *last_shown_ < interval) return;
  last_shown_ = now;
  last_stage_ = progress.stage;
  if (screen_.is_terminal) {
    draw_bar(progress, left);
  } else {
    print_line(progress_text(place_, progress, left));
  }
}

void ProgressDisplay::print_line(std::string_view line) {
  clear_bar();
  out_ << clean_line(line) << '\n' << std::flush;
}

void ProgressDisplay::clear_bar() {
  if (bar_is_drawn_) out_ << "\r\033[K" << std::flush;
  bar_is_drawn_ = false;
}

void ProgressDisplay::draw_bar(const RankProgress& progress, double seconds_left) {
  const auto text = clean_line(bar_text(time_left_.has_finished_measuring() ? 1 : done_share(progress)) + " " +
                               progress_text(place_, progress, seconds_left));
  out_ << "\r\033[K" << text.substr(0, screen_.columns > 1 ? screen_.columns - 1 : 1) << std::flush;
  bar_is_drawn_ = true;
}

}  // namespace ddpbench
