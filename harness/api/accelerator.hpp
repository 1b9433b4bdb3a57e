#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "harness/probe/device_clock.hpp"
#include "suite/base/memory_peak.hpp"

namespace ddpbench {

// Records work once and replays it with one launch.
class StepGraph {
 public:
  virtual ~StepGraph() = default;
  // Records what `body` issues, without running it, in place of what was recorded before.
  virtual void capture(const std::function<void()>& body) = 0;
  virtual void replay() = 0;  // issues the recorded work; does not wait for it
};

// Does what only a device's own runtime can do. Each rank that trains on a device has one, owned by its RankGroup; a rank on the
// CPU has none.
class Accelerator {
 public:
  virtual ~Accelerator() = default;
  virtual std::unique_ptr<DeviceClock> make_clock() = 0;
  virtual std::unique_ptr<StepGraph> make_graph() = 0;
  virtual void wait() = 0;            // waits until the device has done all that was issued
  virtual void delay(double us) = 0;  // keeps the device busy for about so long, after all that was issued; the host goes on
  // Returns what begins (true) and ends the window of a profiler that was told to wait for it: cudaProfilerStart and Stop. It can
  // be called when the accelerator is gone.
  virtual void (*profiler_switch() const)(bool on) = 0;
  virtual std::int64_t reserved_bytes() const = 0;       // bytes that the caching allocator holds of the device's memory now
  virtual std::int64_t peak_reserved_bytes() const = 0;  // the most of these so far
  virtual std::int64_t usable_bytes() const = 0;         // bytes that it could hold: these, and what is free on the device now
  virtual MemoryPeak take_peak() = 0;                    // the peak since it was called last; at first: so far
};

}  // namespace ddpbench
