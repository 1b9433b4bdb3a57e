#pragma once
#include <array>
#include <cstddef>

#include "suite/store/rows.hpp"
#include "suite/vocab/status.hpp"

namespace ddpbench {

enum class Clock : std::size_t { kWall, kThreadCpu, kProcessCpu, kDevice };

inline constexpr std::size_t kClockCount = 4;
inline constexpr std::size_t kStepClockCount = 3;  // those that steps.csv.gz holds; the device's is one figure a block

constexpr std::size_t index_of(Clock clock) { return static_cast<std::size_t>(clock); }

// How the positive control is judged on a clock.
enum class ControlRule { kGate, kGateWithTwoCoresPerRank, kPrintOnly };

// One clock of the overhead table: a name of CONTRACT, its column, what tells the positive control's truth on it, and the words.
struct ClockEntry {
  Clock clock;
  const char* name;
  double StepRow::*step_column;  // nullptr: from the blocks
  const char* truth_metric;      // "": none
  ControlRule control_rule;
  bool bears_verdict;  // a backend may spin: process CPU is never a verdict clock
  const char* words;   // "1.6 us per step of host CPU"
};

inline constexpr std::array<ClockEntry, kClockCount> kClocks{{
    {Clock::kWall, clock_name::kWall, &StepRow::step_s, "injected_true_wall_s", ControlRule::kGateWithTwoCoresPerRank, true,
     "wall time"},
    {Clock::kThreadCpu, clock_name::kThreadCpu, &StepRow::thread_cpu_s, "injected_true_thread_cpu_s", ControlRule::kGate, true,
     "host CPU"},
    {Clock::kProcessCpu, clock_name::kProcessCpu, &StepRow::process_cpu_s, "injected_true_thread_cpu_s", ControlRule::kPrintOnly,
     false, "process CPU"},
    {Clock::kDevice, clock_name::kDevice, nullptr, "", ControlRule::kPrintOnly, true, "device time"},
}};

constexpr const ClockEntry& entry_of(Clock clock) { return kClocks[index_of(clock)]; }

}  // namespace ddpbench
