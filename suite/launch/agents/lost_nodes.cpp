// What an AgentLaunch does about a node that does not come, or of which nothing is heard any more.
#include <algorithm>
#include <cmath>

#include "suite/base/text.hpp"
#include "suite/launch/agents/agent_launch.hpp"

namespace ddpbench {
namespace {

std::string whole_seconds(std::chrono::duration<double> seconds) { return std::to_string(std::lround(seconds.count())) + " s"; }

}  // namespace

std::string AgentLaunch::missing_ranks() const {
  std::vector<std::string> missing;
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
    if (!slots_[rank].agent) missing.push_back(rank_on(rank, planned_host(order_, spec_, rank)));
  }
  return join(missing, ", ");
}

// Where all of them belong to one node and others have come, the first of them; else -1: it is not one node that is at fault.
std::ptrdiff_t AgentLaunch::missing_from_one_node() const {
  const auto per_node = static_cast<std::size_t>(spec_.ranks_per_node);
  std::ptrdiff_t first = -1;
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
    if (slots_[rank].agent) continue;
    if (first >= 0 && rank / per_node != static_cast<std::size_t>(first) / per_node) return -1;
    if (first < 0) first = static_cast<std::ptrdiff_t>(rank);
  }
  return slots_.size() > per_node ? first : -1;
}

// A node that cannot be reached, or a launcher that waits for resources.
void AgentLaunch::look_for_missing() {
  if (started_ || is_ending()) return;
  const auto& said = launcher_.end().last_lines;
  if (!launcher_.runs())
    return end_after_hang(
        {missing_from_one_node(), missing_ranks() + " did not come: " + how_ended(order_.launcher, launcher_.end())});
  if (hang_timeout().count() <= 0 || wall_seconds() < hang_timeout().count()) return;
  end_after_hang({missing_from_one_node(), missing_ranks() + " did not come within " + whole_seconds(hang_timeout()) +
                                               ": its node cannot be reached, or has not started it; " + order_.launcher +
                                               (said.empty() ? " said nothing" : " last said: " + said.back())});
}

// A driver that was suspended with its nodes must not take the time that nobody had for silence.
void AgentLaunch::lengthen_silence() {
  const auto now = Clock::now();
  const auto passed = std::min<std::chrono::duration<double>>(now - polled_, 2 * look_interval());
  polled_ = now;
  for (auto& slot : slots_) slot.silence += passed;
}

// Those who wait for it give up at about the same time as look_for_silence() does, or before.
std::optional<Hang> AgentLaunch::out_of_sight() const {
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
    const auto& slot = slots_[rank];
    if (slot.has_ended || !slot.agent || !started_ || slot.silence < hang_timeout() / 2) continue;
    return Hang{static_cast<std::ptrdiff_t>(rank), rank_on(rank, planned_host(order_, spec_, rank)) +
                                                       " is lost: its node has said nothing for " + whole_seconds(slot.silence)};
  }
  return std::nullopt;
}

// A node that dies, or whose network does, says no goodbye.
void AgentLaunch::look_for_silence() {
  if (!started_ || is_ending() || hang_timeout().count() <= 0) return;
  for (std::size_t rank = 0; rank < slots_.size(); ++rank) {
    auto& slot = slots_[rank];
    if (slot.has_ended || slot.silence < hang_timeout() + look_interval()) continue;
    slot.end.lost = "its node has said nothing for " + whole_seconds(slot.silence);
    return note_end(rank);
  }
}

}  // namespace ddpbench
