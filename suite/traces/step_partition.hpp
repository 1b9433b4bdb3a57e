#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/contract/tables/trace_part.hpp"
#include "suite/traces/interval_set.hpp"
#include "suite/traces/trace.hpp"
#include "suite/traces/trace_steps.hpp"

namespace ddpbench {

// Says what a trace has recorded, and so which parts its steps have.
enum class TraceDetail { kOperations, kKernels, kRanges };
std::vector<TracePart> parts_of(TraceDetail detail);

// Is a time in which one phase was the innermost; `phase` is its place in kPhaseNames.
struct PhaseTime {
  Interval time;
  std::size_t phase = 0;
};

// Holds what was busy when, over a whole trace.
struct Timeline {
  TraceDetail detail = TraceDetail::kOperations;
  IntervalSet computing;      // kernels and copies; without kernels the operations of the step's threads
  IntervalSet communication;  // empty where neither operations nor kernels were recorded: nobody knows what is exposed
  IntervalSet host_busy;      // operations of the step's threads and calls into CUDA of all threads
  IntervalSet data;
  std::vector<PhaseTime> phases;  // in order, none overlaps another
};

// Returns whether an event is a collective whose time counts: a kernel of NCCL, or one that a thread of gloo or MPI does. The
// host's annotation of a collective of NCCL lasts until its future is complete, whatever the device does.
bool is_communication(const Trace& trace, const Event& event);

// Sums up a trace for `partition`. The step's threads are those of `steps`, and those that ran backward for autograd.
Timeline make_timeline(const Trace& trace, const std::vector<TraceStep>& steps);

// Holds the parts of one step in nanoseconds; `hidden`: communication while something was computed.
struct TracePartition {
  std::array<std::int64_t, kPartCount> parts{};
  std::int64_t hidden = 0;
};

// Cuts one step into its parts. Kernels count when they run, whichever step launched them.
TracePartition partition(const Timeline& timeline, Interval step);

// Returns the times of phases that lie in a window, cut to it, in order.
std::vector<PhaseTime> phases_within(const Timeline& timeline, Interval window);

// Returns the index of the phase at an instant, nothing where no phase is open.
std::optional<std::size_t> phase_at(const Timeline& timeline, std::int64_t instant);

}  // namespace ddpbench
