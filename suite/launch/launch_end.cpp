#include "suite/launch/launch_end.hpp"

#include <cstring>

namespace ddpbench {
namespace {

std::string first_failure(const LaunchEnd& end) {
  const auto& rank = end.ranks.at(static_cast<std::size_t>(end.first_failed));
  const auto who = "rank " + std::to_string(end.first_failed) + (rank && !rank->host.empty() ? " on " + rank->host : "");
  return rank ? how_ended(who, *rank) : who + " failed";
}

}  // namespace

void LastLines::add(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  lines_.emplace_back(line);
  if (lines_.size() > kKept) lines_.pop_front();
}

std::string end_words(int exit_code, int signal) {
  if (signal == 0) return "ended with exit code " + std::to_string(exit_code);
  return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

std::string how_ended(const std::string& who, const ProcessEnd& end) {
  return who + " " + (end.lost.empty() ? end_words(end.exit_code, end.signal) : "is lost: " + end.lost) +
         (end.last_lines.empty() ? " and said nothing" : "; it last said: " + end.last_lines.back());
}

std::string why_broken(const LaunchEnd& end) {
  if (end.first_failed < 0) return "";
  if (!end.hang) return first_failure(end);
  const bool ended_by_us = end.hang->rank < 0 || end.hang->rank == end.first_failed;
  return ended_by_us ? end.hang->words : end.hang->words + "; " + first_failure(end);
}

}  // namespace ddpbench
