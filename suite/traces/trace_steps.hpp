#pragma once
#include <string>
#include <vector>

#include "suite/traces/interval_set.hpp"
#include "suite/traces/trace.hpp"

namespace ddpbench {

// Is one step of one arm. `block` and `ordinal` count from 1: the block in the trace, the step in its block (0 without blocks).
struct TraceStep {
  Interval time;
  std::string arm;
  std::uint32_t thread = 0;
  int block = 0, ordinal = 0;
};

// Says how the steps were found.
enum class StepSource { kNamedRange, kBlocks, kProfilerSteps, kWholeWindow };

// Holds the steps in order; no two overlap.
struct TraceSteps {
  std::vector<TraceStep> steps;
  StepSource source = StepSource::kWholeWindow;
};

// Finds the steps: ranges of the name `step_range` (a trailing * makes it a prefix) where it is not ""; else the steps in blocks
// of ddpbench; else those of torch.profiler; else the whole window is one. The arm of a step in no block is the name that it was
// found by. Throws UsageError for an empty trace, and, with the names that exist, where no range has the name.
TraceSteps find_steps(const Trace& trace, const std::string& step_range);

}  // namespace ddpbench
