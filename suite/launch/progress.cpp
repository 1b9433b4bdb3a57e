#include "suite/launch/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "suite/launch/output_lines.hpp"

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

// The part of the launch that is done, by time; warm-up and check count as nothing, since nobody knows their length.
double done_share(const RankProgress& progress) {
  if (progress.stage != "measure" || progress.max_seconds <= 0) return 0;
  return std::clamp(progress.elapsed_seconds / progress.max_seconds, 0.0, 1.0);
}

// What the super-blocks that must be there still take, at the pace so far; 0 where nobody knows it yet.
double seconds_by_pace(const LaunchPlace& place, const RankProgress& progress) {
  const auto missing = place.min_super_blocks - progress.super_blocks;
  if (progress.stage != "measure" || progress.super_blocks <= 0 || missing <= 0) return 0;
  return progress.elapsed_seconds / static_cast<double>(progress.super_blocks) * static_cast<double>(missing);
}

std::string bar_text(double share) {
  const auto full = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  return "[" + std::string(full, '#') + std::string(kBarWidth - full, '.') + "]";
}

}  // namespace

std::string time_left_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
  const auto two_digits = [](long value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole % 3600 / 60) + " min";
}

std::string progress_text(const LaunchPlace& place, const RankProgress& progress) {
  std::string text = "[" + std::to_string(place.number) + "/" + std::to_string(place.count) + "] " + place.cell;
  text += " | " + progress.stage;
  if (progress.super_blocks > 0) text += " | " + std::to_string(progress.super_blocks) + " super-blocks";
  text += " | " + one_decimal(progress.elapsed_seconds);
  if (progress.max_seconds > 0) text += "/" + one_decimal(progress.max_seconds);
  const double cap = std::max(place.max_seconds, progress.max_seconds);  // a rank may know that its fewest blocks take longer
  const double by_cap = cap * (1 - done_share(progress));
  const double by_pace = seconds_by_pace(place, progress);
  return text + (by_pace > by_cap || cap > place.max_seconds ? " s | about " : " s | at most ") +
         time_left_text(std::max(by_cap, by_pace) + place.later_seconds) + " left";
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
  last_shown_.reset();
  last_stage_.clear();
  if (!screen_.is_terminal) {
    print_line("launch " + std::to_string(place_.number) + " of " + std::to_string(place_.count) + ": " + place_.cell +
               ", at most " + time_left_text(place_.max_seconds) + " of measuring");
  }
}

void ProgressDisplay::show(const RankProgress& progress) {
  const auto now = screen_.now();
  const auto interval = screen_.is_terminal ? Clock::duration(kRedraw) : Clock::duration(kLogInterval);
  const bool is_news = progress.stage != last_stage_;
  if (!is_news && last_shown_ && now - *last_shown_ < interval) return;
  last_shown_ = now;
  last_stage_ = progress.stage;
  if (screen_.is_terminal) {
    draw_bar(progress);
  } else {
    print_line(progress_text(place_, progress));
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

void ProgressDisplay::draw_bar(const RankProgress& progress) {
  const auto text = clean_line(bar_text(done_share(progress)) + " " + progress_text(place_, progress));
  out_ << "\r\033[K" << text.substr(0, screen_.columns > 1 ? screen_.columns - 1 : 1) << std::flush;
  bar_is_drawn_ = true;
}

}  // namespace ddpbench
