#pragma once

// The words that stand in the files of a results folder.
namespace ddpbench {

namespace status {
inline constexpr const char* kOk = "ok";
inline constexpr const char* kSkipped = "skipped";           // cannot run here
inline constexpr const char* kFailed = "failed";             // a rank died, hung or threw
inline constexpr const char* kWrongResult = "wrong_result";  // the equal-work check said no; no time is believed
inline constexpr const char* kPartial = "partial";           // stopped by a signal or time limit
inline constexpr const char* kPlanned = "planned";           // in plan.csv: will run
}  // namespace status

namespace verdict {
inline constexpr const char* kEquivalent = "EQUIVALENT";
inline constexpr const char* kSlower = "SLOWER";
inline constexpr const char* kFaster = "FASTER";
inline constexpr const char* kAmbiguous = "AMBIGUOUS";
inline constexpr const char* kUnmeasurable = "UNMEASURABLE";
}  // namespace verdict

// Against the user's budget, where one was given.
namespace budget_verdict {
inline constexpr const char* kAccept = "ACCEPT";
inline constexpr const char* kReject = "REJECT";
inline constexpr const char* kUndecided = "UNDECIDED";
}  // namespace budget_verdict

namespace clock_name {
inline constexpr const char* kWall = "wall";
inline constexpr const char* kThreadCpu = "thread_cpu";
inline constexpr const char* kAwaited = "awaited";
inline constexpr const char* kProcessCpu = "process_cpu";
inline constexpr const char* kDevice = "device";
inline constexpr const char* kInstructions = "instructions";  // no time: none of the tables of clocks has rows of it
}  // namespace clock_name

}  // namespace ddpbench
