#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "harness/probe/clock_readings.hpp"
#include "harness/probe/run_delays.hpp"
#include "suite/contract/tables/collective_kind.hpp"
#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Holds one collective of one rank, times on the steady clock in nanoseconds.
struct CollectiveRecord {
  CollectiveKind kind = CollectiveKind::kAllreduce;
  std::int64_t root = kNoRoot;                // from which or to which data go; kNoRoot: neither
  std::int64_t bytes = 0;                     // of the tensors that this rank puts in, or that it gets where it puts none in
  std::int64_t issued_ns = 0;                 // the call began …
  Instant returned;                           // … and gave control back
  Instant wait_begin;                         // the main thread's first Work::wait; 0: it called none
  std::int64_t waited_ns = 0;                 // time the main thread stood in Work::wait
  Phase waited_in = Phase::kBackward;         // the phase of wait_begin; of DDP's buckets, for which Reducer waits: backward
  std::int64_t main_delay_ns = 0;             // of the main thread, when it completed
  std::int64_t others_delay_ns = 0;           // of all other threads, when it completed
  std::atomic<std::int64_t> completed_ns{0};  // stamped by the backend's own thread, behind the two above; 0: still in flight

  static constexpr std::int64_t kNoRoot = -1;
};

// Holds what the observing decorator saw. Preallocated; when it is full further records are counted and dropped, never allocated.
// The rank's main thread writes it (the backend's completed_ns), and reads it between blocks.
class CollectiveLog {
 public:
  explicit CollectiveLog(std::size_t capacity) : records_(std::make_unique<CollectiveRecord[]>(capacity)), capacity_(capacity) {}

  // Returns the slot of a new collective, or a scratch slot when the log is full.
  CollectiveRecord& add(CollectiveKind kind, std::int64_t bytes);

  // Takes the run delays of the rank: the log outlives the backend's threads, which read them where a collective completes.
  // Called before the first are read.
  void take_delays(RunDelays delays) { delays_ = std::move(delays); }
  RunDelays& delays() { return delays_; }

  // Makes each record from here on have run delays too, or not. To be called only where nothing is in flight.
  void read_delays(bool on) { reads_delays_.store(on, std::memory_order_relaxed); }

  // Reads the clock on the main thread, and its run delay where records have them.
  Instant now() const { return reads_delays() ? delays_.now() : Instant{wall_ns(), 0}; }

  // Stamps a completion; may be called on any thread, at any time.
  void complete(CollectiveRecord& record, std::int64_t completed_ns) const {
    if (reads_delays() && &record != &scratch_) {
      record.main_delay_ns = delays_.main_ns();
      record.others_delay_ns = delays_.others_ns();
    }
    record.completed_ns.store(completed_ns, std::memory_order_release);
  }

  // Forgets all records, once every completion stamp is there (they come some microseconds after the waiter wakes). To be called
  // only where nothing can be in flight: between blocks.
  void clear();

  std::size_t size() const { return size_; }
  std::size_t dropped() const { return dropped_; }
  std::span<CollectiveRecord> records(std::size_t begin, std::size_t end) { return {records_.get() + begin, end - begin}; }

 private:
  bool reads_delays() const { return reads_delays_.load(std::memory_order_relaxed); }

  std::unique_ptr<CollectiveRecord[]> records_;
  std::size_t capacity_;
  std::size_t size_ = 0, dropped_ = 0;
  RunDelays delays_{"none: nobody asked for it"};
  std::atomic<bool> reads_delays_{false};
  CollectiveRecord scratch_;
};

// Returns when the collective completed; waits for the stamp, which comes some microseconds after the waiter wakes.
std::int64_t completion_of(const CollectiveRecord& record);

// Returns when the main thread saw it completed, as far as is known. For DDP's buckets, for which Reducer waits in the backward
// pass, that is no later than that pass's end (`backward_end_ns`; 0: not known): a backend's thread that loses its core between
// waking the waiter and the stamp stamps late by as long.
std::int64_t seen_completion_of(const CollectiveRecord& record, std::int64_t backward_end_ns);

// Returns how long these collectives of one step held up the main thread, by phase, in the order of Phase: the time inside
// Work::wait, and for those that nobody waited for by hand (DDP's buckets, whose futures Reducer waits for at the end of
// backward) the time from the moment the last of them had been issued to the moment the last one completed. The second part is an
// upper bound by Reducer's copies between two buckets. Waits for completion stamps that are late by some microseconds.
// `backward_end_ns`: as above.
std::array<std::int64_t, kPhaseCount> comm_waits_ns(std::span<CollectiveRecord> step, std::int64_t backward_end_ns = 0);

// Adds the phases' waits.
std::int64_t over_phases(const std::array<std::int64_t, kPhaseCount>& waits_ns);

}  // namespace ddpbench
