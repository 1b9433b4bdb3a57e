#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/traces/trace_summary.hpp"

namespace ddpbench {

// Compares one figure of one arm on one rank: medians over the same steps, by the trace and by the timers of ddpbench.
struct TimerRow {
  std::string arm, what;  // what: "step" or a phase
  double trace_us = 0, timer_us = 0;
  double difference_us = 0;  // of the trace from the timers: median over the steps
  double limit_us = 0;       // the gate: the larger of 5 % and 2 us for each mark that a step sets for it
  bool agrees() const { return std::abs(difference_us) <= limit_us; }
};

// Holds what the timers beside a trace say.
struct TimerComparison {
  std::vector<TimerRow> rows;
  std::int64_t matched = 0, only_trace = 0, only_timers = 0;  // steps
  bool agrees() const;
};

// Returns the file of the timers beside a trace: "a/L1/rank0.pt.trace.json.gz" -> "a/L1/rank0.steps.csv".
std::string timers_file(const std::string& trace_file);

// Compares them; steps are matched by arm, block of the arm and place in the block. `timers`: the rows of timers_file.
TimerComparison compare_with_timers(const RankSummary& trace, const std::vector<StepRow>& timers);

}  // namespace ddpbench
