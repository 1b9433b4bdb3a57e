#include "suite/launch/launch_end.hpp"

#include <cstring>

namespace ddpbench {
namespace {

std::string first_failure(const LaunchEnd& end) {
  const auto& rank = end.ranks.at(static_cast<std::size_t>(end.first_failed));
  const auto who = "rank " + std::to_string(end.first_failed);
  return rank ? how_ended(who, *rank) : who + " failed";
}

}  // namespace

void LastLines::add(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  lines_.emplace_back(line);
  if (lines_.size() > kKept) lines_.pop_front();
}

std::string how_ended(const std::string& who, const ProcessEnd& end) {
  const auto how = end.signal != 0 ? " was killed by signal " + std::to_string(end.signal) + " (" + ::strsignal(end.signal) + ")"
                                   : " ended with exit code " + std::to_string(end.exit_code);
  return who + how + (end.last_lines.empty() ? " and said nothing" : "; it last said: " + end.last_lines.back());
}

std::string why_broken(const LaunchEnd& end) {
  if (end.first_failed < 0) return "";
  if (!end.hang) return first_failure(end);
  const bool ended_by_us = end.hang->rank < 0 || end.hang->rank == end.first_failed;
  return ended_by_us ? end.hang->words : end.hang->words + "; " + first_failure(end);
}

}  // namespace ddpbench
