#pragma once
#include <cstdint>

#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Places a step in its launch.
struct StepPlace {
  std::uint32_t arm;    // its place in the launch's list
  std::uint32_t block;  // from 1 in the launch
  std::int64_t step;    // from 1 in the block; below: a discarded one
};

// Shows a tool where the calling thread is: ranges nest, and end in the reverse order in which they began.
class RangeSink {
 public:
  virtual ~RangeSink() = default;
  virtual void push(PhaseRange range) = 0;
  virtual void push_block(std::uint32_t arm, std::uint32_t block) = 0;
  virtual void push_step(const StepPlace& place) = 0;
  virtual void pop() = 0;
};

}  // namespace ddpbench
