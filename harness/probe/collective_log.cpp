#include "harness/probe/collective_log.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

namespace ddpbench {

std::int64_t completion_of(const CollectiveRecord& record) {
  auto completed = record.completed_ns.load(std::memory_order_acquire);
  while (completed == 0) {  // the waiter wakes before the backend's thread has run its callbacks
    std::this_thread::yield();
    completed = record.completed_ns.load(std::memory_order_acquire);
  }
  return completed;
}

std::int64_t seen_completion_of(const CollectiveRecord& record, std::int64_t backward_end_ns) {
  const auto completed = completion_of(record);
  if (record.waited_ns > 0 && record.wait_begin.wall_ns > 0)
    return std::min(completed, record.wait_begin.wall_ns + record.waited_ns);
  return record.returned.wall_ns < backward_end_ns ? std::min(completed, backward_end_ns) : completed;
}

void CollectiveLog::clear() {
  for (const auto& record : records(0, size_)) completion_of(record);
  size_ = dropped_ = 0;
}

CollectiveRecord& CollectiveLog::add(CollectiveKind kind, std::int64_t bytes) {
  const bool full = size_ == capacity_;
  if (full) ++dropped_;
  CollectiveRecord& record = full ? scratch_ : records_[size_++];
  record.kind = kind;
  record.bytes = bytes;
  record.root = CollectiveRecord::kNoRoot;
  record.issued_ns = record.waited_ns = record.main_delay_ns = record.others_delay_ns = 0;
  record.returned = record.wait_begin = Instant{};
  record.waited_in = Phase::kBackward;
  record.completed_ns.store(0, std::memory_order_relaxed);
  return record;
}

std::array<std::int64_t, kPhaseCount> comm_waits_ns(std::span<CollectiveRecord> step, std::int64_t backward_end_ns) {
  std::array<std::int64_t, kPhaseCount> waits{};
  std::int64_t last_issue = 0, last_completion = 0;
  for (const auto& record : step) {
    waits[index_of(record.waited_in)] += record.waited_ns;
    if (record.waited_ns > 0) continue;
    last_issue = std::max(last_issue, record.returned.wall_ns);
    last_completion = std::max(last_completion, seen_completion_of(record, backward_end_ns));
  }
  waits[index_of(Phase::kBackward)] += std::max<std::int64_t>(0, last_completion - last_issue);
  return waits;
}

std::int64_t over_phases(const std::array<std::int64_t, kPhaseCount>& waits_ns) {
  return std::accumulate(waits_ns.begin(), waits_ns.end(), std::int64_t{0});
}

}  // namespace ddpbench
