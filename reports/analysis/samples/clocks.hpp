#pragma once
#include <array>
#include <cstddef>
#include <string_view>

#include "suite/contract/periodic_metric.hpp"
#include "suite/contract/rows.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {

enum class Clock : std::size_t { kWall, kThreadCpu, kProcessCpu, kDevice };

inline constexpr std::size_t kClockCount = 4;
inline constexpr std::size_t kStepClockCount = 2;  // the first ones: read at every step; the others once a block

constexpr std::size_t index_of(Clock clock) { return static_cast<std::size_t>(clock); }

// How the positive control is judged on a clock.
enum class ControlRule { kGate, kGateWithTwoCoresPerRank, kPrintOnly };

// One clock of the overhead table: a name of CONTRACT, its columns, what tells the positive control's truth on it, and the words.
struct ClockEntry {
  Clock clock;
  const char* name;
  double StepRow::*step_column;  // nullptr: compared by blocks only
  double BlockRow::*block_column;
  const char* truth_metric;          // of the positive control on this clock
  std::string_view periodic_metric;  // of one event of an arm's work of every n-th step; "": none
  ControlRule control_rule;
  bool bears_verdict;  // a backend may spin: process CPU is never a verdict clock
  const char* words;   // "1.6 us per step of host CPU"
};

inline constexpr std::array<ClockEntry, kClockCount> kClocks{{
    {Clock::kWall, clock_name::kWall, &StepRow::step_s, &BlockRow::wall_s, "injected_true_wall_s", kPeriodicWall,
     ControlRule::kGateWithTwoCoresPerRank, true, "wall time"},
    {Clock::kThreadCpu, clock_name::kThreadCpu, &StepRow::thread_cpu_s, &BlockRow::thread_cpu_s, "injected_true_thread_cpu_s",
     kPeriodicThreadCpu, ControlRule::kGate, true, "host CPU"},
    {Clock::kProcessCpu, clock_name::kProcessCpu, nullptr, &BlockRow::process_cpu_s, "injected_true_thread_cpu_s", "",
     ControlRule::kPrintOnly, false, "process CPU"},
    {Clock::kDevice, clock_name::kDevice, nullptr, &BlockRow::device_s, "injected_true_device_s", kPeriodicDevice,
     ControlRule::kGate, true, "device time"},
}};

constexpr const ClockEntry& entry_of(Clock clock) { return kClocks[index_of(clock)]; }

}  // namespace ddpbench
