#include "harness/measure/blocks/device_phases.hpp"

#include <algorithm>

#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {

DevicePhases::Sums& DevicePhases::sums_of(const std::string& arm) {
  const auto found = std::find_if(sums_.begin(), sums_.end(), [&](const Sums& sums) { return sums.arm == arm; });
  return found == sums_.end() ? sums_.emplace_back(Sums{arm}) : *found;
}

void DevicePhases::measure(Session& session, const NamedArm& arm, const LaunchSpec& spec) {
  const auto steps = spec.protocol.block_steps;
  const auto marks = most_marks(session, spec, {&arm, 1});
  if (!clock_) clock_ = session.accelerator->make_clock();
  clock_->reserve(marks);
  phases_.clear();
  phases_.reserve(marks);
  tell_arm(arm.name);
  arm.arm->step();
  auto& timer = session.timer;
  timer.open(static_cast<std::size_t>(steps));
  timer.mark_phases_on(clock_.get(), &phases_);
  for (std::int64_t i = 0; i < steps; ++i) arm.arm->step();
  clock_->mark();
  timer.mark_phases_on(nullptr, nullptr);
  timer.close();
  auto& sums = sums_of(arm.name);
  const auto& seconds_between = clock_->read();
  for (std::size_t i = 0; i < phases_.size(); ++i) sums.seconds[index_of(phases_[i])] += seconds_between.at(i);
  sums.steps += steps;
}

void DevicePhases::add_metrics(LaunchRecorder& recorder) const {
  for (const auto& sums : sums_) {
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      recorder.add_metric(sums.arm, kMetrics.device_phases[phase], sums.seconds[phase] / static_cast<double>(sums.steps));
    }
  }
}

}  // namespace ddpbench
