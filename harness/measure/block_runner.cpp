#include "harness/measure/block_runner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "harness/measure/block_order.hpp"
#include "harness/measure/progress_line.hpp"
#include "harness/measure/stop_signal.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStop = "stop";

// A hypervisor that takes more than this share of the super-block's core time has moved the wall clock visibly.
constexpr double kDisturbedSteal = 0.02;

// An allocator or an autotuner that has not settled after this many rounds never will; each is warmup_steps of every arm.
constexpr int kMostWarmUpRounds = 20;

// Super-blocks of their own, at the end, whose phases are marked on the device's clock: a mark costs microseconds, and no row is made of them.
constexpr int kPhaseSuperBlocks = 5;
constexpr std::size_t kMarksPerMicroBatch = 32;  // twice what an arm makes

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

}  // namespace

BlockRunner::BlockRunner(Measurement measurement)
    : m_(measurement), device_clock_(make_device_clock(m_.session)), device_phases_(m_.arms.size()), traffic_(m_.arms.size()) {
  log_marks_.reserve(static_cast<std::size_t>(m_.spec.block_steps) + 1);
  device_clock_->reserve(2);
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
    for (std::int64_t i = 0; i < m_.spec.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    named.arm->quiesce();
    m_.session.strategy.quiesce();
    m_.log.clear();
  }
}

std::string BlockRunner::next_order(std::int64_t super_block, double elapsed_s) const {
  const auto done = super_block - 1;
  const bool full = m_.spec.max_super_blocks > 0 && done >= m_.spec.max_super_blocks;
  const bool late = elapsed_s >= m_.spec.max_seconds && done >= m_.spec.min_super_blocks;
  if (full || late) return kStop;
  return join(block_order(static_cast<std::int64_t>(m_.arms.size()), m_.spec.seed, super_block));
}

void BlockRunner::run() {
  ProgressLine progress(m_.rank, m_.spec);
  const auto begin = wall_ns();
  for (std::int64_t super_block = 1;; ++super_block) {
    const auto elapsed_s = seconds(wall_ns() - begin);
    progress.say("measure", super_block - 1, elapsed_s);
    const auto word = m_.agreement.from_rank0(next_order(super_block, elapsed_s));
    if (word == kStop) break;
    run_super_block(super_block, split(word));
  }
  if (m_.session.accelerator != nullptr) measure_device_phases();
  add_metrics();
  m_.writer.flush();
}

void BlockRunner::run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order) {
  const auto before = HostState::now();
  const auto own_cpu_before = process_cpu_ns();
  const auto skipped_before = m_.session.skipped_steps;
  for (std::size_t position = 0; position < order.size(); ++position) {
    run_block(super_block, static_cast<std::int64_t>(position), static_cast<std::size_t>(order[position]));
  }
  add_host_state(before, seconds(process_cpu_ns() - own_cpu_before));
  write_steps(m_.session.skipped_steps != skipped_before);
  m_.writer.flush();
}

void BlockRunner::run_steps(Arm& arm) {
  const auto count = static_cast<std::size_t>(m_.spec.block_steps) + 1;
  at::Tensor loss, discarded_loss;
  log_marks_.clear();
  m_.session.probe.open(count);
  for (std::size_t i = 0; i < count; ++i) {
    loss = arm.step();
    if (i == 0) discarded_loss = loss.detach().clone();  // read later: on a device reading it is waiting for it
    m_.session.probe.end_step();
    if (i == 0 || i + 1 == count) device_clock_->mark();
    log_marks_.push_back(m_.log.size());
    stop_if_requested();
  }
  steps_ = m_.session.probe.close();
  const auto& device_s = device_clock_->read();
  device_s_ = device_s.empty() ? std::nan("") : device_s.front();
  discarded_loss_ = discarded_loss.item<float>();
}

void BlockRunner::measure_device_phases() {
  const auto marks = static_cast<std::size_t>(m_.spec.block_steps * m_.session.options.accumulate) * kMarksPerMicroBatch + 2;
  device_clock_->reserve(marks);
  marked_phases_.reserve(marks);
  for (int super_block = 0; super_block < kPhaseSuperBlocks; ++super_block) {
    for (std::size_t arm = 0; arm < m_.arms.size(); ++arm) add_device_phases(arm);
  }
}

void BlockRunner::add_device_phases(std::size_t arm) {
  auto& probe = m_.session.probe;
  auto& driven = *m_.arms[arm].arm;
  marked_phases_.clear();
  driven.step();
  probe.open(static_cast<std::size_t>(m_.spec.block_steps));
  probe.mark_phases_on(device_clock_.get(), &marked_phases_);
  for (std::int64_t i = 0; i < m_.spec.block_steps; ++i) driven.step();
  device_clock_->mark();
  probe.mark_phases_on(nullptr, nullptr);
  probe.close();
  const auto& seconds_between = device_clock_->read();
  for (std::size_t i = 0; i < marked_phases_.size(); ++i) {
    device_phases_[arm][index_of(marked_phases_[i])] += seconds_between.at(i);
  }
  driven.quiesce();
  m_.session.strategy.quiesce();
  m_.log.clear();
  stop_if_requested();
}

void BlockRunner::run_block(std::int64_t super_block, std::int64_t position, std::size_t arm) {
  const auto& named = m_.arms.at(arm);
  ++block_;
  nvtx_push_block(static_cast<std::uint32_t>(arm));
  run_steps(*named.arm);
  nvtx_pop();
  named.arm->quiesce();
  m_.session.strategy.quiesce();
  for (std::size_t step = 0; step < steps_.size(); ++step) add_step_row(super_block, named.name, step);
  add_block_row(super_block, position, named.name);
  count_collectives(arm);
  m_.log.clear();
}

void BlockRunner::add_step_row(std::int64_t super_block, const std::string& arm, std::size_t step) {
  const auto& times = steps_[step];
  const auto phase_s = [&](Phase phase) { return seconds(times.phase_ns[index_of(phase)]); };
  const auto log_begin = step == 0 ? 0 : log_marks_[step - 1];
  StepRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = super_block;
  row.block = block_;
  row.arm = arm;
  row.step = static_cast<std::int64_t>(step);
  row.rank = m_.rank;
  row.discarded = step == 0;
  row.step_s = seconds(times.wall_ns);
  row.thread_cpu_s = seconds(times.thread_cpu_ns);
  row.process_cpu_s = seconds(times.process_cpu_ns);
  row.data_s = phase_s(Phase::kData);
  row.h2d_s = phase_s(Phase::kH2d);
  row.forward_s = phase_s(Phase::kForward);
  row.backward_s = phase_s(Phase::kBackward);
  row.optimizer_s = phase_s(Phase::kOptimizer);
  row.wrapper_s = phase_s(Phase::kWrapper);
  row.other_s = phase_s(Phase::kOther);
  row.comm_wait_s = seconds(comm_wait_ns(m_.log.records(log_begin, log_marks_[step])));
  if (row.discarded) row.loss = static_cast<double>(discarded_loss_);
  step_rows_.push_back(std::move(row));
}

void BlockRunner::add_block_row(std::int64_t super_block, std::int64_t position, const std::string& arm) {
  StepTimes sum;
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    sum.wall_ns += steps_[i].wall_ns;
    sum.thread_cpu_ns += steps_[i].thread_cpu_ns;
    sum.process_cpu_ns += steps_[i].process_cpu_ns;
  }
  BlockRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = super_block;
  row.block = block_;
  row.position = position;
  row.arm = arm;
  row.rank = m_.rank;
  row.wall_s = seconds(sum.wall_ns);
  row.device_s = device_s_;
  row.thread_cpu_s = seconds(sum.thread_cpu_ns);
  row.process_cpu_s = seconds(sum.process_cpu_ns);
  row.instrumentation = nvtx_built() ? "timers+nvtx" : "timers";
  if (m_.session.accelerator != nullptr) row.instrumentation += "+events";
  block_rows_.push_back(std::move(row));
}

void BlockRunner::add_host_state(const HostState& before, double own_cpu_s) {
  const auto after = HostState::now();
  double wall_s = 0;
  for (const auto& row : block_rows_) wall_s += row.wall_s;
  for (auto& row : block_rows_) {
    row.load = after.load;
    row.steal_s = after.steal_s - before.steal_s;
    row.foreign_cpu_s = std::max(0.0, after.busy_s - before.busy_s - own_cpu_s);
    row.disturbed = row.steal_s > kDisturbedSteal * wall_s;
    m_.writer.add(row);
  }
  block_rows_.clear();
}

// A step without an update is less work: no arm of its super-block can be compared.
void BlockRunner::write_steps(bool update_left_out) {
  if (update_left_out) ++discarded_super_blocks_;
  for (auto& row : step_rows_) {
    row.discarded = row.discarded || update_left_out;
    m_.writer.add(row);
  }
  step_rows_.clear();
}

void BlockRunner::count_collectives(std::size_t arm) {
  auto& traffic = traffic_[arm];
  const auto timed = m_.log.records(log_marks_.front(), log_marks_.back());
  traffic.steps += m_.spec.block_steps;
  traffic.collectives += static_cast<std::int64_t>(timed.size());
  for (const auto& record : timed) traffic.bytes += record.bytes;
}

void BlockRunner::add_metrics() {
  const auto add = [&](const std::string& arm, const std::string& metric, double value, const std::string& unit) {
    m_.writer.add(MetricRow{m_.spec.launch_id, arm, m_.rank, metric, value, unit});
  };
  for (std::size_t i = 0; i < m_.arms.size(); ++i) {
    const auto& name = m_.arms[i].name;
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, traffic_[i].steps));
    add(name, "collectives_per_step", static_cast<double>(traffic_[i].collectives) / steps, "1");
    add(name, "collective_bytes_per_step", static_cast<double>(traffic_[i].bytes) / steps, "B");
    for (std::size_t phase = 0; phase < kPhaseCount && m_.session.accelerator != nullptr; ++phase) {
      const auto timed = static_cast<double>(kPhaseSuperBlocks * m_.spec.block_steps);
      add(name, "device_" + std::string(kPhaseNames[phase]) + "_s", device_phases_[i][phase] / timed, "s");
    }
    for (const auto& metric : m_.arms[i].arm->metrics()) add(name, metric.name, metric.value, metric.unit);
  }
  add("", "discarded_super_blocks", static_cast<double>(discarded_super_blocks_), "1");
  add("", "peak_memory_mib", peak_memory_mib(), "MiB");
  if (m_.session.accelerator != nullptr) {
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    add("", "peak_device_memory_mib", static_cast<double>(m_.session.accelerator->peak_reserved_bytes()) / kBytesPerMib, "MiB");
  }
}

}  // namespace ddpbench
