#pragma once

namespace ddpbench {

// Says what a rank counts at the ends of its blocks: "instructions" (the default), "task_clock" (nanoseconds of the kernel's
// clock in their place, where the processor gives no counter: for tests), "none".
inline constexpr const char* kCountedEventVariable = "DDPBENCH_COUNTED_EVENT";

// Names the fact of a launch that says what was counted, or why nothing was.
inline constexpr const char* kCountedEventFact = "instruction_counter";

// Names the fact of a launch that says whether run delays were read ("schedstat"), or why not.
inline constexpr const char* kRunDelayFact = "run_delay";

}  // namespace ddpbench
