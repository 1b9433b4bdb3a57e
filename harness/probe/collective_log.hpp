#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ddpbench {

enum class CollectiveKind : std::uint8_t {
  kAllreduce,
  kBroadcast,
  kReduce,
  kAllgather,
  kGather,
  kScatter,
  kReduceScatter,
  kAlltoall,
  kSend,
  kReceive,
  kBarrier,
  kCoalesced  // those between startCoalescing and endCoalescing, as one
};
inline constexpr std::size_t kCollectiveKinds = 12;

// As in names of metrics.
std::string_view name_of(CollectiveKind kind);

// One collective of one rank, times on the steady clock in nanoseconds.
struct CollectiveRecord {
  CollectiveKind kind = CollectiveKind::kAllreduce;
  std::int64_t bytes = 0;                     // of the tensors that this rank puts in, or gets where it puts in none
  std::int64_t issued_ns = 0;                 // the call began …
  std::int64_t returned_ns = 0;               // … and gave control back
  std::int64_t waited_ns = 0;                 // time the main thread stood in Work::wait
  std::atomic<std::int64_t> completed_ns{0};  // stamped by the backend's own thread; 0: still in flight
};

// What the observing decorator saw. Preallocated; when it is full further records are counted and dropped, never allocated. Written
// by the rank's main thread (completed_ns by the backend's), read by it between blocks.
class CollectiveLog {
 public:
  explicit CollectiveLog(std::size_t capacity) : records_(std::make_unique<CollectiveRecord[]>(capacity)), capacity_(capacity) {}

  // The slot of a new collective, or a scratch slot when the log is full.
  CollectiveRecord& add(CollectiveKind kind, std::int64_t bytes);

  // Forgets all records, once every completion stamp is there (they come some microseconds after the waiter wakes). Only where nothing
  // can be in flight: between blocks.
  void clear();

  std::size_t size() const { return size_; }
  std::size_t dropped() const { return dropped_; }
  std::span<CollectiveRecord> records(std::size_t begin, std::size_t end) { return {records_.get() + begin, end - begin}; }

 private:
  std::unique_ptr<CollectiveRecord[]> records_;
  std::size_t capacity_;
  std::size_t size_ = 0, dropped_ = 0;
  CollectiveRecord scratch_;
};

// How long the main thread was held up by these collectives of one step: the time inside Work::wait, and for those that nobody waited
// for by hand (DDP's buckets, whose futures Reducer waits for at the end of backward) the time from the moment the last of them had been
// issued to the moment the last one completed. The second part is an upper bound by Reducer's copies between two buckets. Waits for
// completion stamps that are late by some microseconds.
std::int64_t comm_wait_ns(std::span<CollectiveRecord> step);

}  // namespace ddpbench
