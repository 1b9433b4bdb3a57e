#include "suite/launch/launch_end.hpp"

#include <cstring>

namespace ddpbench {
namespace {

std::string how_ended(const LaunchEnd& end) {
  const auto& rank = end.ranks[static_cast<std::size_t>(end.first_failed)];
  std::string text = "rank " + std::to_string(end.first_failed);
  if (rank.signal != 0) {
    text += " was killed by signal " + std::to_string(rank.signal) + " (" + ::strsignal(rank.signal) + ")";
  } else {
    text += " ended with exit code " + std::to_string(rank.exit_code);
  }
  return rank.last_lines.empty() ? text + " and said nothing" : text + "; it last said: " + rank.last_lines.back();
}

}  // namespace

std::string why_broken(const LaunchEnd& end) {
  if (end.first_failed < 0) return "";
  if (!end.hang) return how_ended(end);
  const bool ended_by_us = end.hang->rank < 0 || end.hang->rank == end.first_failed;
  return ended_by_us ? end.hang->words : end.hang->words + "; " + how_ended(end);
}

}  // namespace ddpbench
