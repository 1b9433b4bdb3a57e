#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/contract/tables/phase.hpp"
#include "suite/traces/step_memory.hpp"
#include "suite/traces/step_partition.hpp"

namespace ddpbench {

// Sums up something that has a name, over the steps of an arm. Times in nanoseconds.
struct NamedTime {
  std::int64_t count = 0;
  std::int64_t time_ns = 0;     // of operations their own, without those inside them; of kernels and collectives their length
  std::int64_t exposed_ns = 0;  // of collectives: while nothing was computed
  std::int64_t bytes = 0;       // of the collectives whose size the trace has,
  std::int64_t sized = 0;       // their number,
  std::int64_t sized_ns = 0;    // and their length
};

// Sums up one phase over the steps of an arm. `marks` counts its ranges.
struct PhaseSum {
  std::int64_t time_ns = 0, marks = 0;
  std::int64_t kernels = 0, kernels_ns = 0;  // that the phase launched, whichever thread did
};

// Holds the time of one step: by phase, to be compared with the timers' of the same step, and its exposed communication, to be
// compared with other ranks'.
struct StepPhases {
  int block = 0, ordinal = 0;
  std::int64_t step_ns = 0;
  std::array<std::int64_t, kPhaseCount> phases_ns{};
  std::int64_t exposed_ns = 0;
};

// Sums up the steps of one arm on one rank. Sums over several ranks are of the same type.
struct ArmSum {
  std::int64_t steps = 0, step_ns = 0;
  TracePartition partition;
  std::int64_t operations = 0;  // on the step's threads
  std::int64_t launches = 0;    // kernels that a step launched, by the call's time
  std::int64_t late_ns = 0;     // of them: what ran after their step had ended
  bool has_phases = false;
  std::array<PhaseSum, kPhaseCount> phases{};
  std::map<std::string, NamedTime> operation_names, kernel_names, collective_names;
  std::vector<StepPhases> each_step;
  std::vector<DeviceMemory> memory;  // a device each; empty: the trace did not record it
};

// Holds what one trace file says, or several that are spans of one rank.
struct RankSummary {
  std::string file, launch, rank;  // rank: "0"; a stranger's without a number: the file's name
  std::optional<int> rank_number;
  StepSource source = StepSource::kWholeWindow;
  TraceDetail detail = TraceDetail::kOperations;
  std::int64_t spans = 1;                            // files, of which `file` is the first
  std::string note;                                  // what its figures leave out; "": nothing known
  std::vector<std::pair<std::string, ArmSum>> arms;  // in order of their first step
};

// Sums up a trace, of which `steps` were found.
RankSummary summarize(const Trace& trace, const TraceSteps& steps);

// Adds the sums of another rank.
void add(ArmSum& to, const ArmSum& more);

// Adds another span of the same rank, whose steps come behind.
void add_span(RankSummary& to, RankSummary more);

}  // namespace ddpbench
