#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/probe/collective_log.hpp"
#include "harness/probe/step_timer.hpp"

namespace ddpbench {

// Holds one collective of one rank, as CollectiveRecord does. Times are nanoseconds since the block began, delays those since
// then.
struct PathCollective {
  CollectiveKind kind = CollectiveKind::kAllreduce;
  std::int64_t root = CollectiveRecord::kNoRoot;
  Instant returned;
  Instant wait_begin;
  std::int64_t waited_ns = 0;                           // 0: nobody called Work::wait (DDP's buckets)
  std::int64_t completed_ns = 0;                        // as the main thread saw it
  std::int64_t late_ns = 0;                             // by which it was stamped after that
  std::int64_t main_delay_ns = 0, others_delay_ns = 0;  // when it completed; when that was stamped
};

// Holds one step of one rank: when it ended, and its collectives.
struct PathStep {
  Instant end;
  std::vector<PathCollective> collectives;  // in the order in which they were issued
};

// Holds one block of one rank, its discarded steps first.
struct PathBlock {
  std::int64_t begin_ns = 0;  // steady clock
  std::vector<PathStep> steps;
};

// Returns the path of a block from its steps and the records of its collectives; waits for stamps that are late. `log_marks`:
// where each step ends in `records`. `others_delay_ns`: of the other threads, when the block began. `has_network`: false where
// collectives complete at once, so that no rank waits for another.
PathBlock path_of(const std::vector<StepTimes>& steps, std::span<const CollectiveRecord> records,
                  const std::vector<std::size_t>& log_marks, std::int64_t others_delay_ns, bool has_network);

// Writes the block as text for rank 0; path_from_payload reads it.
std::string to_payload(const PathBlock& block);
PathBlock path_from_payload(std::string_view payload);  // throws Error for what is none

// Returns what each step of a block takes on the ranks together if nobody is kept from a core, nanoseconds: its critical path
// (docs/measurement.md, "Awaited time"). Between its collectives each rank takes its own time: wall less run delay. A collective
// completes on a rank when all ranks that it needs have issued it, and its transfer there is over: what the rank saw of it behind
// the last issue, less the longest of the ranks' delays of their other threads in it. A rank goes on where it waited for what had
// completed by then.
// `hosts`: for each rank a number of its host: ranks of one host share a clock; that of another is set by where collectives
// complete on all ranks at once. Empty where the ranks do not tell of the same steps and collectives.
std::vector<double> awaited_ns(const std::vector<PathBlock>& ranks, const std::vector<std::size_t>& hosts);

}  // namespace ddpbench
