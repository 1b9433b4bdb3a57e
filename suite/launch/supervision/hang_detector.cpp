#include "suite/launch/supervision/hang_detector.hpp"

#include <algorithm>
#include <cmath>

namespace ddpbench {
namespace {

using Seconds = std::chrono::duration<double>;

// Less than this share of a core is what a process uses that waits: timers, threads that watch a connection.
constexpr double kIdleShare = 0.1;

// Looks that a wait may miss: at its start, at its end, and a late driver's.
constexpr int kLooksMissed = 3;

std::string seconds_text(Seconds seconds) { return std::to_string(std::lround(seconds.count())) + " s"; }

std::string for_long(Seconds still) { return " and has not moved for " + seconds_text(still); }

std::string where(const ProcessActivity& rank) {
  if (rank.phase_changes == 0) {
    const auto stage = std::min(static_cast<std::size_t>(rank.start_up), kStartUpWords.size() - 1);
    return std::string(kStartUpWords.at(stage)) + ", before its first step";
  }
  const auto phase = std::min(index_of(rank.phase), kPhaseCount - 1);
  const auto arm = rank.arm.empty() ? "" : " of " + rank.arm;
  return "in phase " + std::string(kPhaseNames.at(phase)) + arm + " after " + std::to_string(rank.super_blocks) + " super-blocks";
}

// "an allreduce of 4 bytes"
std::string last_collective(const ProcessActivity& rank) {
  const auto kind =
      kCollectiveKindNames.at(std::min<std::size_t>(static_cast<std::size_t>(rank.collective), kCollectiveKinds - 1));
  return (kind.starts_with('a') ? "an " : "a ") + std::string(kind) +
         (rank.collective_bytes > 0 ? " of " + std::to_string(rank.collective_bytes) + " bytes" : "");
}

// Whether ranks can have called the same collective last: the data of an all-reduce, broadcast or reduce are as large on all of
// them, and who sends meets one that receives.
bool may_meet(const ProcessActivity& a, const ProcessActivity& b) {
  const auto is_between_two = [](const ProcessActivity& rank) {
    return rank.collective == CollectiveKind::kSend || rank.collective == CollectiveKind::kReceive;
  };
  if (is_between_two(a) || is_between_two(b)) return true;
  const bool has_one_size = a.collective == CollectiveKind::kAllreduce || a.collective == CollectiveKind::kBroadcast ||
                            a.collective == CollectiveKind::kReduce;
  return a.collective == b.collective && (!has_one_size || a.collective_bytes == b.collective_bytes);
}

// A rank that computes, and comes to nothing new.
std::string stays(const std::string& name, const ProcessActivity& rank, Seconds in_place) {
  return name + " comes no further: it is " + where(rank) + ", for " + seconds_text(in_place) + " now";
}

}  // namespace

HangDetector::HangDetector(std::vector<std::string> names) {
  for (auto& name : names) ranks_.push_back({std::move(name)});
}

// What passed between two looks counts as at most two intervals: a driver that was stopped with its ranks must not take the time
// that nobody had for a hang.
void HangDetector::look(std::span<const ProcessActivity> ranks, Clock::time_point now, Clock::duration interval,
                        const ProcessActivity& launcher) {
  const Seconds passed = looked_ ? std::min<Seconds>(now - *looked_, 2 * interval) : Seconds(0);
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) look_at(ranks_[rank], ranks[rank], passed);
  const bool is_needed = std::none_of(ranks.begin(), ranks.end(), [](const ProcessActivity& rank) { return rank.runs; });
  launcher_.seen.runs = launcher.runs;
  if (is_needed) look_at(launcher_, launcher, passed);  // while ranks run it only waits for them
  looked_ = now;
}

void HangDetector::look_at(Watched& watched, const ProcessActivity& activity, Seconds passed) {
  if (!activity.runs) return;
  const auto before = watched;
  watched.seen = activity;
  const bool is_starting = activity.phase_changes == 0;
  const bool moved =
      watched.progress() != before.progress() || activity.cpu_seconds - before.seen.cpu_seconds > kIdleShare * passed.count() ||
      (is_starting && (activity.page_faults != before.seen.page_faults || activity.bytes_read != before.seen.bytes_read));
  const bool loads = activity.start_up == StartUp::kLoading && activity.bytes_read != before.seen.bytes_read;
  if (!is_starting && watched.progress() != before.progress()) watched.longest = std::max(watched.longest, before.in_place);
  watched.in_place = loads || watched.progress() != before.progress() ? Seconds(0) : watched.in_place + passed;
  if (moved) watched.was_still = watched.still;
  watched.still = moved ? Seconds(0) : watched.still + passed;
}

std::optional<Hang> HangDetector::all_still(const std::vector<bool>& running, Seconds patience) const {
  std::vector<std::size_t> still;
  bool is_suspended = false, any_moves = false;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!running[rank]) continue;
    const bool is_still = ranks_[rank].still >= patience;
    any_moves = any_moves || !is_still;
    is_suspended = is_suspended || (is_still && ranks_[rank].seen.is_stopped);
    if (is_still) still.push_back(rank);
  }
  if (any_moves && !is_suspended) return std::nullopt;
  if (!still.empty()) return hang_of(still);
  if (!launcher_.seen.runs || launcher_.still < patience) return std::nullopt;
  return Hang{-1, "no rank is running; the launcher is, but it made no progress" + for_long(launcher_.still)};
}

std::optional<Hang> HangDetector::all_stuck(const std::vector<bool>& running, Seconds limit) const {
  std::vector<std::size_t> stuck;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!running[rank]) continue;
    const auto& watched = ranks_[rank];
    const auto longest = watched.seen.super_blocks > 0 ? kTimesTheLongest * watched.longest : Seconds(0);
    if (watched.in_place < std::max(limit, longest)) return std::nullopt;
    stuck.push_back(rank);
  }
  if (stuck.empty()) return std::nullopt;
  const auto& last = last_of(stuck);
  return Hang{&last - ranks_.data(), stays(last.name, last.seen, last.in_place)};
}

Seconds HangDetector::limit_of(std::size_t rank) const { return std::chrono::milliseconds(ranks_.at(rank).seen.waits_ms); }

std::optional<Hang> HangDetector::given_up_by(std::size_t ended, const std::vector<bool>& running, Seconds limit,
                                              Seconds interval) const {
  std::vector<std::size_t> still;
  const auto waited = std::max(ranks_.at(ended).still, ranks_.at(ended).was_still);
  if (waited < limit / 2) return std::nullopt;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (running[rank] && ranks_[rank].still >= limit / 2) still.push_back(rank);
  }
  if (!still.empty()) return hang_of(still);
  const auto whole = limit - kLooksMissed * interval;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto& other = ranks_[rank];
    if (!running[rank] || waited < whole || other.in_place < whole || other.progress() >= ranks_.at(ended).progress()) continue;
    return Hang{static_cast<std::ptrdiff_t>(rank), stays(other.name, other.seen, other.in_place)};
  }
  return std::nullopt;
}

const HangDetector::Watched& HangDetector::last_of(const std::vector<std::size_t>& ranks) const {
  const auto fewer = [this](std::size_t a, std::size_t b) { return ranks_[a].progress() < ranks_[b].progress(); };
  return ranks_[*std::min_element(ranks.begin(), ranks.end(), fewer)];
}

// One that is stopped is the cause; else the one that is behind all others, which wait for it.
Hang HangDetector::hang_of(const std::vector<std::size_t>& still) const {
  for (const auto rank : still) {
    const auto& stopped = ranks_[rank];
    if (!stopped.seen.is_stopped) continue;
    return {static_cast<std::ptrdiff_t>(rank),
            stopped.name + " hangs: its process is suspended (SIGSTOP) " + where(stopped.seen) + "," + for_long(stopped.still)};
  }
  const auto& last = last_of(still);
  const auto is_level = [&](const Watched& rank) { return &rank != &last && rank.progress() <= last.progress(); };
  if (ranks_.size() > 1 && std::none_of(ranks_.begin(), ranks_.end(), is_level)) {
    return {&last - ranks_.data(), last.name + " hangs: it is behind the others, " + where(last.seen) + "," +
                                       for_long(last.still) + unmatched_collectives()};
  }
  std::string words = "the launch hangs: ";
  for (const auto rank : still) words += ranks_[rank].name + " is " + where(ranks_[rank].seen) + ", ";
  return {-1, words + "none of them has moved for " + seconds_text(ranks_[still.front()].still) + unmatched_collectives()};
}

// "; collective 58 of rank 0 is an allreduce of 4 bytes, that of rank 1 …", of the first rank whose last one cannot be the first
// one's. Where they have called different numbers of them one may just be late: the numbers alone. "" where all have called the
// same, as they do when the network fails. Those that have ended count too: they gave up waiting.
std::string HangDetector::unmatched_collectives() const {
  const auto& first = ranks_.front();
  for (const auto& rank : ranks_) {
    const auto &a = first.seen, &b = rank.seen;
    if (a.collectives != b.collectives)
      return "; " + first.name + " has called " + std::to_string(a.collectives) + " collectives, " + rank.name + " " +
             std::to_string(b.collectives);
    if (a.collectives > 0 && !may_meet(a, b))
      return "; collective " + std::to_string(a.collectives) + " of " + first.name + " is " + last_collective(a) + ", that of " +
             rank.name + " " + last_collective(b) + ": not every rank calls the same collectives";
  }
  return "";
}

}  // namespace ddpbench
