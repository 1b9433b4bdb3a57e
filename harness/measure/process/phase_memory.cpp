#include "harness/measure/process/phase_memory.hpp"

namespace ddpbench {

void PhaseMemory::begin() { set_up_.raise_to(take_peak_()); }

void PhaseMemory::end() { count_for_innermost(); }

void PhaseMemory::push(PhaseRange range) {
  count_for_innermost();
  open_.push_back(phase_of(range));
}

void PhaseMemory::pop() {
  count_for_innermost();
  open_.pop_back();
}

MemoryPeak PhaseMemory::largest() const {
  auto largest = set_up_;
  for (const auto& peak : peaks_) {
    if (peak) largest.raise_to(*peak);
  }
  return largest;
}

void PhaseMemory::count_for_innermost() {
  auto& peak = peaks_[index_of(open_.empty() ? Phase::kOther : open_.back())];
  if (!peak) peak.emplace();
  peak->raise_to(take_peak_());
}

}  // namespace ddpbench
