#include "suite/launch/local/hang_watch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "suite/launch/local/process_state.hpp"
#include "suite/launch/system_call.hpp"

namespace ddpbench {
namespace {

using Seconds = std::chrono::duration<double>;

// Less than this share of a core is what a process uses that waits: timers, threads that watch a connection.
constexpr double kIdleShare = 0.1;

bool runs(pid_t pid) { return pid > 0; }

std::string for_long(Seconds still) { return " and has not moved for " + std::to_string(std::lround(still.count())) + " s"; }

}  // namespace

void HangWatch::Unmap::operator()(Heartbeat* heartbeats) const { ::munmap(heartbeats, ranks * sizeof(Heartbeat)); }

// Memory and not a file on a disk: a page of such a file is written back now and then, and the store that follows waits for the disk.
HangWatch::HangWatch(std::size_t ranks) : heartbeats_(nullptr, Unmap{ranks}) {
  constexpr const char* kWhy = "cannot share memory with the ranks";
  const auto bytes = ranks * sizeof(Heartbeat);
  memory_ = UniqueFd(checked(::memfd_create("ddpbench-heartbeats", MFD_CLOEXEC), kWhy));
  checked(::ftruncate(memory_.get(), static_cast<off_t>(bytes)), kWhy);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  checked(memory == MAP_FAILED ? -1 : 0, kWhy);
  heartbeats_.reset(static_cast<Heartbeat*>(memory));
  ranks_.resize(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) ranks_[rank].heartbeat = new (&heartbeats_[rank]) Heartbeat;
}

std::string HangWatch::path() const { return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(memory_.get()); }

pid_t HangWatch::pid_of(std::size_t rank) const {
  const auto pid = ranks_.at(rank).heartbeat->pid.load(std::memory_order_relaxed);
  return pid > 0 ? pid : -1;
}

// What passed between two looks counts as at most two intervals: a driver that was stopped with its ranks must not take the time
// that nobody had for a hang.
void HangWatch::look(std::span<const pid_t> pids, Clock::time_point now, Clock::duration interval, pid_t launcher) {
  if (looked_ && now - *looked_ < interval) return;
  const Seconds passed = looked_ ? std::min<Seconds>(now - *looked_, 2 * interval) : Seconds(0);
  launcher_pid_ = launcher;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) look_at(ranks_[rank], pids[rank], passed);
  const bool is_needed = std::none_of(pids.begin(), pids.end(), runs);  // while ranks run it only waits for them
  if (is_needed) look_at(launcher_, launcher, passed);
  looked_ = now;
}

void HangWatch::look_at(Watched& watched, pid_t pid, Seconds passed) {
  if (!runs(pid)) return;
  const auto before = watched;
  const auto state = process_state(pid);
  watched.cpu_seconds = state.cpu_seconds;
  watched.page_faults = state.page_faults;
  if (watched.heartbeat != nullptr) {
    watched.phase_changes = watched.heartbeat->phase_changes.load(std::memory_order_relaxed);
    watched.start_up = watched.heartbeat->start_up.load(std::memory_order_relaxed);
  }
  const bool is_starting = watched.phase_changes == 0;
  if (is_starting && pid != launcher_pid_) watched.bytes_read = bytes_read_by(pid);  // a launcher reads its own news for ever
  const bool moved = watched.progress() != before.progress() ||
                     watched.cpu_seconds - before.cpu_seconds > kIdleShare * passed.count() ||
                     (is_starting && (watched.page_faults != before.page_faults || watched.bytes_read != before.bytes_read));
  if (moved) watched.was_still = watched.still;
  watched.still = moved ? Seconds(0) : watched.still + passed;
}

std::optional<Hang> HangWatch::all_still(std::span<const pid_t> pids, Seconds patience) const {
  std::vector<std::size_t> still;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!runs(pids[rank])) continue;
    if (ranks_[rank].still < patience) return std::nullopt;
    still.push_back(rank);
  }
  if (!still.empty()) return hang_of(pids, still);
  if (!runs(launcher_pid_) || launcher_.still < patience) return std::nullopt;
  return Hang{-1, "no rank is running; the launcher is, but it made no progress" + for_long(launcher_.still)};
}

std::optional<Hang> HangWatch::given_up_by(std::size_t ended, std::span<const pid_t> pids, Seconds patience) const {
  std::vector<std::size_t> still;
  if (std::max(ranks_.at(ended).still, ranks_.at(ended).was_still) < patience) return std::nullopt;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (runs(pids[rank]) && ranks_[rank].still >= patience) still.push_back(rank);
  }
  return still.empty() ? std::nullopt : std::optional(hang_of(pids, still));
}

// One that is stopped is the cause; else the one that is behind all others, which wait for it.
Hang HangWatch::hang_of(std::span<const pid_t> pids, const std::vector<std::size_t>& still) const {
  for (const auto rank : still) {
    if (process_state(pids[rank]).stopped) {
      return {static_cast<std::ptrdiff_t>(rank), "rank " + std::to_string(rank) + " hangs: its process is suspended (SIGSTOP) " +
                                                     where(rank) + "," + for_long(ranks_[rank].still)};
    }
  }
  const auto fewer = [this](std::size_t a, std::size_t b) { return ranks_[a].progress() < ranks_[b].progress(); };
  const auto last = *std::min_element(still.begin(), still.end(), fewer);
  const auto is_level = [&](const Watched& rank) { return &rank != &ranks_[last] && rank.progress() <= ranks_[last].progress(); };
  if (ranks_.size() > 1 && std::none_of(ranks_.begin(), ranks_.end(), is_level)) {
    return {static_cast<std::ptrdiff_t>(last), "rank " + std::to_string(last) + " hangs: it is behind the others, " +
                                                   where(last) + "," + for_long(ranks_[last].still)};
  }
  std::string words = "the launch hangs: ";
  for (const auto rank : still) words += "rank " + std::to_string(rank) + " is " + where(rank) + ", ";
  return {-1, words + "none of them has moved for " + std::to_string(std::lround(ranks_[still.front()].still.count())) + " s"};
}

std::string HangWatch::where(std::size_t rank) const {
  const auto& heartbeat = *ranks_[rank].heartbeat;
  if (ranks_[rank].phase_changes == 0) {
    const auto stage = std::min(static_cast<std::size_t>(ranks_[rank].start_up), kStartUpWords.size() - 1);
    return std::string(kStartUpWords.at(stage)) + ", before its first step";
  }
  const auto phase = std::min(index_of(heartbeat.phase.load(std::memory_order_relaxed)), kPhaseCount - 1);
  return "in phase " + std::string(kPhaseNames.at(phase)) + " after " +
         std::to_string(heartbeat.super_blocks.load(std::memory_order_relaxed)) + " super-blocks";
}

}  // namespace ddpbench
