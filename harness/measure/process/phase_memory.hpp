#pragma once
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "harness/probe/range_sink.hpp"
#include "suite/base/memory_peak.hpp"

namespace ddpbench {

// Finds how much memory is live in each phase at most: at each instant the innermost open one counts, and `other` where none is
// open. What other threads allocate meanwhile counts for the phase of the thread that opens it. Is the sink of ranges in steps
// that nobody times: each change of phase asks for the peak.
class PhaseMemory final : public RangeSink {
 public:
  // `take_peak` returns the peak since it was called last (of the process so far, at first).
  explicit PhaseMemory(std::function<MemoryPeak()> take_peak) : take_peak_(std::move(take_peak)) {}

  void begin();  // of the steps: what was before is the set-up's
  void end();    // what follows counts nowhere

  void push(PhaseRange range) override;
  void push_block(std::uint32_t /*arm*/, std::uint32_t /*block*/) override {}
  void push_step(const StepPlace& /*place*/) override {}
  void pop() override;

  // Of all steps between begin() and end().
  const MemoryPeak& set_up() const { return set_up_; }
  const std::optional<MemoryPeak>& of(Phase phase) const { return peaks_[index_of(phase)]; }  // nothing: it was never open
  MemoryPeak largest() const;                                                                 // of set-up and phases

 private:
  void count_for_innermost();

  std::function<MemoryPeak()> take_peak_;
  MemoryPeak set_up_;
  std::array<std::optional<MemoryPeak>, kPhaseCount> peaks_{};
  std::vector<Phase> open_;
};

}  // namespace ddpbench
