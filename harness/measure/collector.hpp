#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/api/accelerator.hpp"
#include "harness/probe/collective_log.hpp"
#include "suite/base/not_measured.hpp"

namespace ddpbench {

// Finds out one metric of a launch: a value for each arm, or one for the rank. There is one per launch, rank and line of the
// table (collector_table.cpp), owned by the LaunchRecorder. Override what is needed; no hook is called inside a timed step, and the first
// two must not allocate.
class Collector {
 public:
  virtual ~Collector() = default;

  // Called around the timed steps of a block: in its discarded step, and behind its last one. `arm`: by its place in the launch's
  // list.
  virtual void before_timed_steps(std::size_t /*arm*/) {}
  virtual void after_timed_steps(std::size_t /*arm*/) {}

  // Called when a block is over, with the collectives of its timed steps.
  virtual void after_block(std::size_t /*arm*/, std::span<const CollectiveRecord> /*timed*/) {}

  virtual void after_super_block(bool /*update_left_out*/) {}

  // Called once, behind the last block; return the metric, or kNotMeasured for no row.
  virtual double of_arm(std::size_t /*arm*/) const { return kNotMeasured; }
  virtual double of_rank() const { return kNotMeasured; }
};

// Holds what a collector is made with.
struct CollectorRequest {
  std::size_t arms = 0;                      // of the launch
  std::int64_t block_steps = 1;              // timed steps of a block
  const Accelerator* accelerator = nullptr;  // of the rank's device; null on the CPU
};

// Counts over timed steps; its metric is the mean of a step, 0 where the arm had none.
class PerStepCollector : public Collector {
 public:
  explicit PerStepCollector(const CollectorRequest& request) : block_steps_(request.block_steps), counts_(request.arms) {}

  double of_arm(std::size_t arm) const final {
    const auto& count = counts_[arm];
    return count.steps == 0 ? 0 : count.sum / static_cast<double>(count.steps);
  }

 protected:
  // Adds the count of all timed steps of one block.
  void add_block(std::size_t arm, double count) {
    counts_[arm].sum += count;
    counts_[arm].steps += block_steps_;
  }

 private:
  struct Count {
    double sum = 0;
    std::int64_t steps = 0;
  };
  std::int64_t block_steps_;
  std::vector<Count> counts_;  // by arm
};

}  // namespace ddpbench
