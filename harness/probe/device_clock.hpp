#pragma once
#include <cstddef>
#include <vector>

namespace ddpbench {

// A device's own clock. On a GPU the host only enqueues: what a step takes there is the time between two marks that the device passes.
// Whoever measures on it has one of its own (Accelerator::make_clock). The base class is a host without a device: marks cost nothing,
// and nothing is read.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;

  // Makes room for `marks` between two readings. Outside blocks: it may allocate.
  virtual void reserve(std::size_t /*marks*/) {}

  // A mark behind all that was issued so far. Some microseconds of host time, no allocation, no waiting.
  virtual void mark() {}

  // Waits until the device has passed the last mark; seconds from each mark to the next one, valid until the next reading.
  virtual const std::vector<double>& read() { return seconds_; }

 protected:
  std::vector<double> seconds_;
};

}  // namespace ddpbench
