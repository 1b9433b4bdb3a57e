#include "harness/measure/block_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "harness/measure/block_order.hpp"
#include "harness/measure/periodic_timer.hpp"
#include "harness/measure/progress_line.hpp"
#include "harness/measure/stop_signal.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/contract/periodic_metric.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStop = "stop";

// An allocator or an autotuner that has not settled after this many rounds never will; each is warmup_steps of every arm.
constexpr int kMostWarmUpRounds = 20;

// Super-blocks whose phases are marked on the device's clock, at the end.
constexpr int kPhaseSuperBlocks = 5;

std::unique_ptr<DeviceClock> make_device_clock(const Session& session) {
  return session.accelerator == nullptr ? std::make_unique<DeviceClock>() : session.accelerator->make_clock();
}

std::string join(const std::vector<std::int64_t>& order) {
  std::string text;
  for (const auto arm : order) text += std::to_string(arm) + " ";
  return text;
}

std::vector<std::int64_t> split(const std::string& text) {
  std::vector<std::int64_t> order;
  std::istringstream words(text);
  for (std::int64_t arm = 0; words >> arm;) order.push_back(arm);
  return order;
}

// The process numbers of the ranks on this host.
std::vector<pid_t> ranks_here(Agreement& agreement) {
  std::vector<pid_t> ranks;
  for (const auto& word : agreement.from_all(host_name() + " " + std::to_string(getpid()))) {
    const auto blank = word.find(' ');
    if (word.substr(0, blank) == host_name()) ranks.push_back(static_cast<pid_t>(std::stol(word.substr(blank + 1))));
  }
  return ranks;
}

std::vector<std::string> names_of(const std::vector<NamedArm>& arms) {
  std::vector<std::string> names;
  for (const auto& named : arms) names.push_back(named.name);
  return names;
}

}  // namespace

BlockRunner::BlockRunner(Measurement measurement)
    : m_(measurement),
      end_rule_(m_.spec),
      host_(ranks_here(m_.agreement)),
      recorder_(m_),
      device_clock_(make_device_clock(m_.session)) {
  const auto marks = most_marks(m_.session, m_.spec.protocol.block_steps);
  measured_.log_marks.reserve(static_cast<std::size_t>(m_.spec.protocol.block_steps) + 1);
  device_clock_->reserve(marks);
  marked_phases_.reserve(marks);
  report_.steps_s.resize(m_.arms.size());
  std::vector<const char*> names;
  for (const auto& named : m_.arms) names.push_back(named.name.c_str());
  nvtx_register(static_cast<std::uint32_t>(names.size()), names.data());
}

void BlockRunner::warm_up() {
  warm_up_once();
  for (int round = 1; m_.session.accelerator != nullptr && round < kMostWarmUpRounds && !memory_stood_still(); ++round) {
    warm_up_once();
  }
}

// The same answer on all ranks, for every round is collective.
bool BlockRunner::memory_stood_still() {
  const auto reserved = m_.session.accelerator->reserved_bytes();
  const bool still = std::exchange(reserved_bytes_, reserved) == reserved;
  const auto words = m_.agreement.from_all(still ? "still" : "grew");
  return std::all_of(words.begin(), words.end(), [](const auto& word) { return word == "still"; });
}

void BlockRunner::warm_up_once() {
  for (const auto& named : m_.arms) {
    for (std::int64_t i = 0; i < m_.spec.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    settle(*named.arm);
    m_.log.clear();
  }
}

// On rank 0: the end, or the order of the next super-block.
std::string BlockRunner::decide(const std::vector<std::string>& words, double elapsed_s) {
  if (super_blocks_ > 0) {
    std::vector<SuperBlockReport> reports;
    for (const auto& word : words) reports.push_back(report_from_word(word));
    end_rule_.add(reports);
  }
  if (end_rule_.end(elapsed_s) != End::kNotYet) return kStop;
  return join(block_order(names_of(m_.arms), m_.spec.seed, super_blocks_ + 1));
}

void BlockRunner::run() {
  ProgressLine progress(m_.rank, m_.spec);
  announce_periodic_work();
  const auto begin = wall_ns();
  while (true) {
    const auto elapsed_s = seconds(wall_ns() - begin);
    progress.say("measure", super_blocks_, elapsed_s);
    const auto answer = [&](const std::vector<std::string>& words) { return decide(words, elapsed_s); };
    const auto word = m_.agreement.from_rank0(to_word(report_), answer);
    if (word == kStop) break;
    run_super_block(++super_blocks_, split(word));
  }
  measure_periodic_work(progress, begin);
  if (m_.session.accelerator != nullptr) measure_device_phases();
  add_metrics();
  m_.writer.flush();
}

void BlockRunner::run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order) {
  const auto skipped_before = m_.session.skipped_steps;
  report_.disturbed = false;
  for (std::size_t position = 0; position < order.size(); ++position) {
    run_block({super_block, static_cast<std::int64_t>(position)}, static_cast<std::size_t>(order[position]));
  }
  recorder_.end_super_block(m_.session.skipped_steps != skipped_before);
}

// The wall clock is read next to the steps: the CPU clocks' system calls stay outside of what it measures.
BlockBoundary BlockRunner::at_begin() {
  BlockBoundary boundary;
  boundary.process_cpu_ns = process_cpu_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.wall_ns = wall_ns();
  return boundary;
}

BlockBoundary BlockRunner::at_end() {
  BlockBoundary boundary;
  boundary.wall_ns = wall_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.process_cpu_ns = process_cpu_ns();
  return boundary;
}

// The clocks at the end of step `step`; the first is the discarded one.
void BlockRunner::end_step(std::size_t step, const BlockConditions& conditions) {
  auto& probe = m_.session.probe;
  const bool last = step == static_cast<std::size_t>(m_.spec.protocol.block_steps);
  if (conditions.timers) probe.end_step();
  if (step == 0) measured_.begin = at_begin();
  if (last) measured_.end = at_end();
  if (step == 0 || last) device_clock_->mark();
  if (step == 0 && conditions.device_events) probe.mark_phases_on(device_clock_.get(), &marked_phases_);
}

void BlockRunner::run_steps(Arm& arm) {
  const auto count = static_cast<std::size_t>(m_.spec.protocol.block_steps) + 1;
  const auto conditions = arm.conditions();
  auto& probe = m_.session.probe;
  at::Tensor loss, discarded_loss;
  measured_.log_marks.clear();
  marked_phases_.clear();
  probe.show_ranges(conditions.ranges);
  if (conditions.timers) probe.open(count);
  for (std::size_t i = 0; i < count; ++i) {
    loss = arm.step();
    if (i == 0) discarded_loss = loss.detach().clone();  // read later: on a device reading it is waiting for it
    end_step(i, conditions);
    measured_.log_marks.push_back(m_.log.size());
    stop_if_requested();
  }
  probe.mark_phases_on(nullptr, nullptr);
  measured_.steps = probe.close();
  if (!conditions.timers) measured_.steps.clear();
  probe.show_ranges(true);
  const auto& device_s = device_clock_->read();
  measured_.device_s = device_s.empty() ? std::nan("") : std::accumulate(device_s.begin(), device_s.end(), 0.0);
  measured_.discarded_loss = discarded_loss.item<float>();
}

void BlockRunner::settle(Arm& arm) {
  arm.quiesce();
  m_.session.strategy.quiesce();
}

// Replicas drift apart without their network: they are put back where they stood. All ranks are there before the first collective is
// dropped and after the last one. The data goes on, so that this arm's batches cost what the others' do.
void BlockRunner::run_ideal(Arm& arm) {
  if (before_ideal_ == nullptr) before_ideal_ = std::make_unique<Snapshot>(m_.session);
  before_ideal_->take(m_.session);
  m_.agreement.from_all("ideal network");
  m_.session.network->make_ideal(true);
  run_steps(arm);
  settle(arm);
  m_.session.network->make_ideal(false);
  before_ideal_->restore_state(m_.session);
  m_.agreement.from_all("real network");
}

void BlockRunner::run_block(const BlockPlace& place, std::size_t arm) {
  const auto& named = m_.arms.at(arm);
  nvtx_push_block(static_cast<std::uint32_t>(arm));
  if (named.arm->conditions().ideal_network) {
    run_ideal(*named.arm);
  } else {
    run_steps(*named.arm);
  }
  nvtx_pop();
  settle(*named.arm);
  const auto use = host_.since_last();
  report_.disturbed = report_.disturbed || use.disturbed;
  recorder_.add_block(place, arm, measured_, use);
  report_steps(arm);
  m_.log.clear();
}

void BlockRunner::measure_device_phases() {
  for (int super_block = 0; super_block < kPhaseSuperBlocks; ++super_block) {
    for (const auto& named : m_.arms) {
      device_phases_.measure(m_.session, named, m_.spec.protocol.block_steps);
      settle(*named.arm);
      m_.log.clear();
      stop_if_requested();
    }
  }
}

// Arms in turn, so that what drifts hits all alike.
void BlockRunner::measure_periodic_work(ProgressLine& progress, std::int64_t begin_ns) {
  for (int event = 0; event < kPeriodicEvents; ++event) {
    progress.say("events", super_blocks_, seconds(wall_ns() - begin_ns));
    for (const auto& named : m_.arms) {
      if (named.arm->periodic_work().empty()) continue;
      time_periodic_work(named, *device_clock_, recorder_);
      settle(*named.arm);
      m_.log.clear();
      stop_if_requested();
    }
  }
}

// Timed steps of an arm that has timers (of the reference's last block, where it has several), on the clock that the verdict rests on.
void BlockRunner::report_steps(std::size_t arm) {
  auto& steps_s = report_.steps_s[arm];
  steps_s.clear();
  if (!std::isnan(measured_.device_s)) {
    steps_s.push_back(measured_.device_s / static_cast<double>(m_.spec.protocol.block_steps));
    return;
  }
  for (std::size_t i = 1; i < measured_.steps.size(); ++i) steps_s.push_back(seconds(measured_.steps[i].thread_cpu_ns));
}

// Before the first block: a launch that is stopped before its events lacks something, and says so.
void BlockRunner::announce_periodic_work() {
  for (const auto& named : m_.arms) {
    for (const auto& work : named.arm->periodic_work()) {
      recorder_.add_metric(named.name, periodic_metric(kPeriodicEvery, work.name), static_cast<double>(work.every), "1");
    }
  }
}

void BlockRunner::add_metrics() {
  for (const auto& [arm, means] : device_phases_.means()) {
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      recorder_.add_metric(arm, "device_" + std::string(kPhaseNames[phase]) + "_s", means[phase], "s");
    }
  }
  if (m_.rank == 0) recorder_.add_metric("", "disturbed_super_blocks", static_cast<double>(end_rule_.disturbed()), "1");
  recorder_.add_metrics();
}

}  // namespace ddpbench
