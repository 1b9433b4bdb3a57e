#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "suite/contract/status.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Names the clocks. The last one is no time: of the samples its blocks hold instructions where they hold seconds of the others.
// It has a table of its own (findings/instructions.hpp), and no row in those of the clocks.
enum class Clock : std::size_t { kWall, kThreadCpu, kAwaited, kProcessCpu, kDevice, kInstructions };

// Counts the clocks above.
inline constexpr std::size_t kClockCount = 6;
inline constexpr std::size_t kTimeClockCount = 5;  // the first ones
inline constexpr std::size_t kStepClockCount = 3;  // the first ones: read at every step; the others once a block

// Returns the clock's place in kClocks.
constexpr std::size_t index_of(Clock clock) { return static_cast<std::size_t>(clock); }

// Says how the positive control is judged on a clock.
enum class ControlRule { kGate, kGateWithTwoCoresPerRank, kPrintOnly };

// Describes one clock of the overhead table: its name in the files, its columns, its positive control with the metric that holds
// the truth, the metric of work of every n-th step, how control and verdict are judged, and its name in sentences.
struct ClockEntry {
  Clock clock;
  const char* name;
  double StepRow::*step_column;  // nullptr: compared by blocks only
  double BlockRow::*block_column;
  const Metric* truth_metric;     // of the positive control on this clock: what its delay really was; nullptr: nobody knows
  const Metric* periodic_metric;  // of one event of an arm's work of every n-th step; nullptr: none
  ControlRule control_rule;
  bool bears_verdict;  // process CPU gives no verdict: a backend may busy-wait
  const char* words;   // "1.6 us per step of host CPU"
};

// Lists the clocks, in the order of Clock.
inline constexpr std::array<ClockEntry, kClockCount> kClocks{{
    {Clock::kWall, clock_name::kWall, &StepRow::step_s, &BlockRow::wall_s, &kMetrics.injected_true_wall, &kMetrics.periodic_wall,
     ControlRule::kGateWithTwoCoresPerRank, true, "wall time"},
    {Clock::kThreadCpu, clock_name::kThreadCpu, &StepRow::thread_cpu_s, &BlockRow::thread_cpu_s,
     &kMetrics.injected_true_thread_cpu, &kMetrics.periodic_thread_cpu, ControlRule::kGate, true, "host CPU"},
    {Clock::kAwaited, clock_name::kAwaited, &StepRow::awaited_s, &BlockRow::awaited_s, &kMetrics.injected_true_own,
     &kMetrics.periodic_own, ControlRule::kGate, true, "awaited time"},
    {Clock::kProcessCpu, clock_name::kProcessCpu, nullptr, &BlockRow::process_cpu_s, &kMetrics.injected_true_thread_cpu, nullptr,
     ControlRule::kPrintOnly, false, "process CPU"},
    {Clock::kDevice, clock_name::kDevice, nullptr, &BlockRow::device_s, &kMetrics.injected_true_device, &kMetrics.periodic_device,
     ControlRule::kGate, true, "device time"},
    {Clock::kInstructions, clock_name::kInstructions, nullptr, &BlockRow::instructions, nullptr, nullptr, ControlRule::kPrintOnly,
     false, "instructions"},
}};

// Lists those that measure time: all but instructions.
inline constexpr std::span<const ClockEntry> kTimeClocks = std::span(kClocks).first(kTimeClockCount);

// Returns the clock's line of the table.
constexpr const ClockEntry& entry_of(Clock clock) { return kClocks[index_of(clock)]; }

}  // namespace ddpbench
