#pragma once
#include <cstddef>
#include <vector>

namespace ddpbench {

// Measures on a device's own clock. On a GPU the host only enqueues: what a step takes there is the time between two marks that
// the device passes. Each user has one of its own (Accelerator::make_clock). The base class serves a host without a device: marks
// cost nothing, and nothing is read.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;

  // Makes room for `marks` between two readings. To be called outside blocks: it may allocate.
  virtual void reserve(std::size_t /*marks*/) {}

  // Places a mark behind all that was issued so far. Takes some microseconds of host time; allocates nothing, waits for nothing.
  virtual void mark() {}

  // Waits until the device has passed the last mark; returns the seconds from each mark to the next one, valid until the next
  // reading.
  virtual const std::vector<double>& read() { return seconds_; }

 protected:
  std::vector<double> seconds_;
};

}  // namespace ddpbench
