#include "harness/measure/blocks/timed_block.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "harness/measure/process/stop_signal.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

std::unique_ptr<DeviceClock> make_device_clock(const Session& session) {
  return session.accelerator == nullptr ? std::make_unique<DeviceClock>() : session.accelerator->make_clock();
}

bool takes_ideal_network(const NamedArm& named) { return named.arm->conditions().ideal_network; }

}  // namespace

void quiesce_arm(Session& session, Arm& arm) {
  arm.quiesce();
  training_of(session, arm).quiesce();
}

void name_ranges(const Measurement& measurement) {
  const auto& spec = measurement.spec;
  const auto rank = "rank " + std::to_string(measurement.rank);
  std::vector<std::string> arms;
  for (const auto& named : measurement.arms) arms.push_back(named.name);
  nvtx_register({std::move(arms), rank, rank + " of " + std::to_string(spec.world_size()) + ", launch " + spec.launch_id});
}

TimedBlock::TimedBlock(const Measurement& measurement, LaunchRecorder& recorder, EventCounter instructions)
    : m_(measurement), recorder_(recorder), instructions_(std::move(instructions)), device_clock_(make_device_clock(m_.session)) {
  const auto marks = most_marks(m_.session, m_.spec, m_.arms);
  measured_.log_marks.reserve(static_cast<std::size_t>(m_.spec.protocol.block_steps + kMostDiscardedSteps));
  device_clock_->reserve(marks);
  marked_phases_.reserve(marks);
  for (const auto& named : m_.arms) {
    if (takes_ideal_network(named)) before_ideal_.try_emplace(named.facts.module, m_.session, named.arm->own_training());
  }
}

const MeasuredBlock& TimedBlock::run(std::size_t arm, std::int64_t discarded) {
  m_.session.timer.sink().push_block(static_cast<std::uint32_t>(arm), ++block_);
  if (takes_ideal_network(m_.arms.at(arm))) {
    run_on_ideal_network(arm, discarded);
  } else {
    run_steps(arm, discarded);
  }
  m_.session.timer.sink().pop();
  quiesce_arm(m_.session, *m_.arms[arm].arm);
  return measured_;
}

// Replicas drift apart without their network: they are put back where they stood. All ranks are there before the first collective is
// dropped and after the last one. The data goes on, so that this arm's batches cost what the others' do.
void TimedBlock::run_on_ideal_network(std::size_t arm, std::int64_t discarded) {
  auto& driver = *m_.arms[arm].arm;
  auto* own = driver.own_training();
  auto& before = before_ideal_.at(m_.arms[arm].facts.module);
  before.take(m_.session, own);
  m_.control_channel.all_gather("ideal network");
  m_.session.network->make_ideal(true);
  run_steps(arm, discarded);
  quiesce_arm(m_.session, driver);
  m_.session.network->make_ideal(false);
  before.restore_state(m_.session, own);
  m_.control_channel.all_gather("real network");
}

// The wall clock is read next to the steps: the CPU clocks' system calls stay outside of what it measures.
BlockBoundary TimedBlock::at_begin() const {
  BlockBoundary boundary;
  boundary.instructions = instructions_.read();
  boundary.process_cpu_ns = process_cpu_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.wall_ns = wall_ns();
  return boundary;
}

BlockBoundary TimedBlock::at_end() const {
  BlockBoundary boundary;
  boundary.wall_ns = wall_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.process_cpu_ns = process_cpu_ns();
  boundary.instructions = instructions_.read();
  return boundary;
}

void TimedBlock::begin_timed_steps(const BlockConditions& conditions) {
  measured_.begin = at_begin();
  device_clock_->mark();
  if (conditions.device_events) m_.session.timer.mark_phases_on(device_clock_.get(), &marked_phases_);
}

// The clocks at the end of step `step`; 0 is the last discarded one, to which the collectors' own time is billed.
void TimedBlock::end_step(std::size_t arm, std::int64_t step, const BlockConditions& conditions) {
  if (step == 0) recorder_.before_timed_steps(arm);
  if (conditions.timers) m_.session.timer.end_step();
  if (step == 0) begin_timed_steps(conditions);
  if (step < m_.spec.protocol.block_steps) return;
  measured_.end = at_end();
  device_clock_->mark();
  recorder_.after_timed_steps(arm);
}

// Other arms have run since this one's last block, and its code and data have left the caches.
void TimedBlock::rewarm_arm(Arm& arm) {
  const auto steps = m_.spec.protocol.rewarm_steps;
  for (std::int64_t i = 0; i < steps; ++i) {
    arm.step();
    stop_if_requested();
  }
  if (steps > 0) m_.log.clear();
}

// Nothing is in flight: the backend's threads do not read either.
void TimedBlock::begin_delays(const BlockConditions& conditions) {
  auto& delays = m_.log.delays();
  measured_.has_delays = conditions.awaited && conditions.timers && delays.reads();
  m_.log.read_delays(measured_.has_delays);
  m_.session.timer.read_delays(measured_.has_delays ? &delays : nullptr);
  others_delay_ns_ = delays.others_ns();
  has_network_ = !conditions.ideal_network;
}

PathBlock TimedBlock::path() const {
  if (!measured_.has_delays || m_.log.dropped() > 0) return {};
  return path_of(measured_.steps, m_.log.records(0, m_.log.size()), measured_.log_marks, others_delay_ns_, has_network_);
}

void TimedBlock::run_steps(std::size_t arm, std::int64_t discarded) {
  auto& driver = *m_.arms[arm].arm;
  const auto conditions = driver.conditions();
  auto& timer = m_.session.timer;
  at::Tensor loss, discarded_loss;
  measured_.discarded = discarded;
  measured_.log_marks.clear();
  marked_phases_.clear();
  timer.show_ranges(conditions.ranges);
  tell_arm(m_.arms[arm].name);
  rewarm_arm(driver);
  begin_delays(conditions);
  if (discarded == 0) recorder_.before_timed_steps(arm);
  if (conditions.timers) timer.open(static_cast<std::size_t>(discarded + m_.spec.protocol.block_steps));
  if (discarded == 0) begin_timed_steps(conditions);
  for (auto step = 1 - discarded; step <= m_.spec.protocol.block_steps; ++step) {
    if (auto* ranges = timer.ranges()) ranges->push_step({static_cast<std::uint32_t>(arm), block_, step});
    loss = driver.step();
    if (step == 0) discarded_loss = loss.detach().clone();  // read later: on a device reading it is waiting for it
    end_step(arm, step, conditions);
    if (auto* ranges = timer.ranges()) ranges->pop();
    measured_.log_marks.push_back(m_.log.size());
    stop_if_requested();
  }
  timer.mark_phases_on(nullptr, nullptr);
  measured_.steps = timer.close();
  if (!conditions.timers) measured_.steps.clear();
  timer.show_ranges(true);
  const auto& device_s = device_clock_->read();
  measured_.device_s = device_s.empty() ? std::nan("") : std::accumulate(device_s.begin(), device_s.end(), 0.0);
  measured_.discarded_loss = discarded_loss.defined() ? discarded_loss.item<float>() : std::nanf("");
  measured_.last_loss = loss.item<float>();
}

}  // namespace ddpbench
