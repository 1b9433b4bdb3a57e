#include "suite/launch/processes/launch_end.hpp"

#include <algorithm>
#include <cstring>

#include "suite/base/library_errors.hpp"
#include "suite/contract/processes/store_address.hpp"

namespace ddpbench {
namespace {

std::string first_failure(const LaunchEnd& end) {
  const auto number = first_failed_rank(end);
  const auto& rank = end.ranks.at(number);
  const auto who = "rank " + std::to_string(number) + (rank && !rank->host.empty() ? " on " + rank->host : "");
  return rank ? how_ended(who, *rank) : who + " failed";
}

}  // namespace

// The ends of ranks are told in any order: a system on which much runs may need longer for the end of one that was killed than another
// for giving up because of it. One that was killed is a cause, one that gave up is a witness. One that lost the rendezvous did so
// because rank 0 had ended.
std::size_t first_failed_rank(const LaunchEnd& end) {
  const auto first = static_cast<std::size_t>(end.first_failed);
  const auto& told = end.ranks.at(first);
  const auto was_killed = [](const auto& rank) { return rank && rank->was_killed(); };
  const auto killed = std::find_if(end.ranks.begin(), end.ranks.end(), was_killed);
  if (killed != end.ranks.end() && !was_killed(told)) return static_cast<std::size_t>(killed - end.ranks.begin());
  const auto& holder = end.ranks.front();
  const bool lost_it = told && !told->last_lines.empty() && told->last_lines.back().find(kRendezvousClosed) != std::string::npos;
  const bool holder_failed = holder && holder->exit_code != 0 && holder->signal == 0 && holder->lost.empty();
  return lost_it && holder_failed ? 0 : first;
}

void LastLines::add(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  lines_.emplace_back(line);
  if (lines_.size() > kKept) lines_.pop_front();
}

std::string exit_text(int exit_code, int signal) {
  if (signal == 0) return "ended with exit code " + std::to_string(exit_code);
  return "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
}

std::string how_ended(const std::string& who, const ProcessEnd& end) {
  const auto why = end.why_killed.empty() ? "" : ", " + end.why_killed;
  const auto words = who + " " + (end.lost.empty() ? exit_text(end.exit_code, end.signal) + why : "is lost: " + end.lost);
  if (end.last_lines.empty()) return words + (end.lost.empty() ? " and said nothing" : "");
  const auto& last = end.last_lines.back();
  const auto meaning = end.host.empty() ? explain_library_error(last) : "";  // another node has limits of its own
  const bool is_told = meaning.empty() || last.find(meaning) != std::string::npos;
  return words + (is_told ? "" : ": " + meaning) + "; it last said: " + last;
}

std::string why_broken(const LaunchEnd& end) {
  if (end.first_failed < 0) return "";
  if (!end.hang) return first_failure(end);
  const bool ended_by_us = end.hang->rank < 0 || end.hang->rank == end.first_failed;
  return ended_by_us ? end.hang->words : end.hang->words + "; " + first_failure(end);
}

}  // namespace ddpbench
