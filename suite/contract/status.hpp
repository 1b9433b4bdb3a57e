#pragma once

// Names the words that stand in the files of a results folder.
namespace ddpbench {

// Says how a launch or an arm ended, or in plan.csv what becomes of it.
namespace status {
inline constexpr const char* kOk = "ok";
inline constexpr const char* kSkipped = "skipped";           // cannot run here
inline constexpr const char* kFailed = "failed";             // a rank died, hung or threw
inline constexpr const char* kWrongResult = "wrong_result";  // the equal-work check said no; no time is believed
inline constexpr const char* kPartial = "partial";           // stopped by a signal or time limit
inline constexpr const char* kPlanned = "planned";           // in plan.csv: will run
}  // namespace status

// Says what a row shows about an arm's cost (docs/measurement.md, "Verdicts").
namespace verdict {
inline constexpr const char* kEquivalent = "EQUIVALENT";      // inside the margin: "equal" on the page
inline constexpr const char* kSlower = "SLOWER";              // beyond chance
inline constexpr const char* kFaster = "FASTER";              // beyond chance
inline constexpr const char* kAmbiguous = "AMBIGUOUS";        // not decided by these data
inline constexpr const char* kUnmeasurable = "UNMEASURABLE";  // a gate failed
}  // namespace verdict

// Says how the cost lies to the user's budget, where one was given.
namespace budget_verdict {
inline constexpr const char* kAccept = "ACCEPT";        // surely within it
inline constexpr const char* kReject = "REJECT";        // surely beyond it
inline constexpr const char* kUndecided = "UNDECIDED";  // neither
}  // namespace budget_verdict

// Names the ways to measure a step's time.
namespace clock_name {
inline constexpr const char* kWall = "wall";                  // real time
inline constexpr const char* kThreadCpu = "thread_cpu";       // what the rank's main thread computed
inline constexpr const char* kAwaited = "awaited";            // what all ranks together wait for, less the time without a core
inline constexpr const char* kProcessCpu = "process_cpu";     // what all threads of the rank computed
inline constexpr const char* kDevice = "device";              // between two events on the GPU
inline constexpr const char* kInstructions = "instructions";  // no time: none of the tables of clocks has rows of it
}  // namespace clock_name

}  // namespace ddpbench
