#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/probe/clock_readings.hpp"
#include "harness/probe/device_clock.hpp"
#include "harness/probe/nvtx_ranges.hpp"
#include "harness/probe/run_delays.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Holds one step of one rank, nanoseconds. The phases add up to wall_ns exactly: at each instant one phase is open.
struct StepTimes {
  std::int64_t begin_ns = 0;  // steady clock
  std::int64_t wall_ns = 0;
  std::int64_t thread_cpu_ns = 0;
  std::int64_t begin_delay_ns = 0;  // for which the thread had waited for a core until then (RunDelays) …
  std::int64_t run_delay_ns = 0;    // … and in the step
  Instant backward_end{};           // of the last backward pass; 0: none
  std::array<std::int64_t, kPhaseCount> phase_ns{};
};

// Takes the marks of a step. There is one per rank, owned by its LaunchTraining, shared by all arms. Records only between open() and
// close(); outside of them PhaseScope still opens the range and moves no clock. Of the CPU clocks it reads only the thread's
// at a step's boundary, and the run delay there and where the backward pass ends: each is a system call of half a microsecond or
// more, and no verdict rests on the process's. Nothing here allocates once open() has reserved.
class StepTimer {
 public:
  // Starts a run of at most `capacity` steps: the first one begins now.
  void open(std::size_t capacity) {
    steps_.reserve(capacity);
    steps_.clear();
    recording_ = true;
    phase_ = Phase::kOther;
    begin_ = now();
    begin_step();
  }

  // Ends the step that was running and begins the next one: one reading of the clocks serves both.
  void end_step() {
    const Boundary end = now();
    current_.phase_ns[index_of(phase_)] += end.wall_ns - last_mark_ns_;
    current_.wall_ns = end.wall_ns - begin_.wall_ns;
    current_.thread_cpu_ns = end.thread_cpu_ns - begin_.thread_cpu_ns;
    current_.run_delay_ns = end.delay_ns - begin_.delay_ns;
    steps_.push_back(current_);
    begin_ = end;
    begin_step();
  }

  // Gives steps from here on their run delays, too; nullptr ends it. What it points to outlives that.
  void read_delays(const RunDelays* delays) { delays_ = delays; }

  // Makes every change of phase from here on a mark on this clock too, and adds the new phase to `phases`, which has room for
  // them; nullptr ends it. Blocks that are timed do without: a mark costs microseconds.
  void mark_phases_on(DeviceClock* clock, std::vector<Phase>* phases) {
    device_clock_ = clock;
    device_phases_ = phases;
    if (device_clock_ != nullptr) mark_device(phase_);
  }

  // Makes scopes open ranges, or not; they do until told otherwise.
  void show_ranges(bool show) { shows_ranges_ = show; }

  // Makes ranges open in `sink`, which outlives that; they are NVTX's until told otherwise.
  void show_ranges_in(RangeSink& sink) { sink_ = &sink; }
  RangeSink& sink() { return *sink_; }

  // Returns where ranges are to be opened now; nullptr: nowhere.
  RangeSink* ranges() { return shows_ranges_ ? sink_ : nullptr; }

  // Ends the run and returns its whole steps, in order.
  const std::vector<StepTimes>& close() {
    recording_ = false;
    return steps_;
  }

  // Makes `phase` the open one and returns the one it replaces.
  Phase enter(Phase phase) {
    if (recording_) {
      const bool ends_backward = phase_ == Phase::kBackward;
      const auto now = ends_backward && delays_ != nullptr ? delays_->now() : Instant{wall_ns(), 0};
      if (ends_backward) current_.backward_end = now;
      current_.phase_ns[index_of(phase_)] += now.wall_ns - last_mark_ns_;
      last_mark_ns_ = now.wall_ns;
      if (device_clock_ != nullptr) mark_device(phase);
    }
    heartbeat_->enter(phase);
    return std::exchange(phase_, phase);
  }

 private:
  struct Boundary {
    std::int64_t wall_ns, thread_cpu_ns, delay_ns;
  };
  Boundary now() const {
    const auto cpu_ns = thread_cpu_ns();
    const auto instant = delays_ == nullptr ? Instant{wall_ns(), 0} : delays_->now();
    return {instant.wall_ns, cpu_ns, instant.delay_ns};
  }

  void begin_step() {
    current_ = StepTimes{};
    current_.begin_ns = last_mark_ns_ = begin_.wall_ns;
    current_.begin_delay_ns = begin_.delay_ns;
  }

  void mark_device(Phase phase) {
    device_clock_->mark();
    device_phases_->push_back(phase);
  }

  std::vector<StepTimes> steps_;
  StepTimes current_;
  Boundary begin_{};
  std::int64_t last_mark_ns_ = 0;
  Phase phase_ = Phase::kOther;
  bool recording_ = false;
  bool shows_ranges_ = true;
  RangeSink* sink_ = &nvtx_ranges();
  const RunDelays* delays_ = nullptr;
  Heartbeat* heartbeat_ = &own_heartbeat();
  DeviceClock* device_clock_ = nullptr;
  std::vector<Phase>* device_phases_ = nullptr;
};

// Marks one phase of a step: a tool's range and the clock are one scope, so a trace and a table cannot disagree. Scopes nest; the
// inner one's time is not the outer one's.
class PhaseScope {
 public:
  PhaseScope(StepTimer& timer, Phase phase) : PhaseScope(timer, range_of(phase)) {}
  PhaseScope(StepTimer& timer, PhaseRange range) : timer_(timer), outer_(timer.enter(phase_of(range))) {
    if (auto* ranges = timer_.ranges()) ranges->push(range);
  }
  ~PhaseScope() {
    if (auto* ranges = timer_.ranges()) ranges->pop();
    timer_.enter(outer_);
  }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  StepTimer& timer_;
  Phase outer_;
};

}  // namespace ddpbench
