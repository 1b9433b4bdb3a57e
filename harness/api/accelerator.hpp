#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "harness/probe/device_clock.hpp"

namespace ddpbench {

// Work that was recorded once and is replayed with one launch.
class StepGraph {
 public:
  virtual ~StepGraph() = default;
  // Records what `body` issues, without running it, in place of what was recorded before.
  virtual void capture(const std::function<void()>& body) = 0;
  virtual void replay() = 0;
};

// What only a device's own runtime can do. One per rank that has a device, owned by its RankGroup; where ranks train on the CPU there is none.
class Accelerator {
 public:
  virtual ~Accelerator() = default;
  virtual std::unique_ptr<DeviceClock> make_clock() = 0;
  virtual std::unique_ptr<StepGraph> make_graph() = 0;
  virtual void wait() = 0;            // until the device has done all that was issued
  virtual void delay(double us) = 0;  // keeps the device busy for about so long, behind all that was issued; the host goes on
  virtual std::int64_t reserved_bytes() const = 0;       // by the caching allocator, from the device
  virtual std::int64_t peak_reserved_bytes() const = 0;  // the most so far
  virtual std::int64_t usable_bytes() const = 0;         // what it could reserve: free on the device now, and reserved
  virtual std::int64_t peak_tensor_bytes() const = 0;    // of what it reserved, the most that tensors took so far
};

}  // namespace ddpbench
