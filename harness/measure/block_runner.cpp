#include "harness/measure/block_runner.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "harness/measure/block_order.hpp"
#include "harness/measure/progress_line.hpp"
#include "harness/measure/stop_signal.hpp"
#include "suite/vocab/surroundings.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStop = "stop";

// An allocator or an autotuner that has not settled after this many rounds never will; each is warmup_steps of every arm.
constexpr int kMostWarmUpRounds = 20;

// Super-blocks whose phases are marked on the device's clock, at the end.
constexpr int kPhaseSuperBlocks = 5;
constexpr std::size_t kMarksPerStep = 32;  // twice what an arm makes

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

double phase_seconds(const StepTimes& times, Phase phase) { return seconds(times.phase_ns[index_of(phase)]); }

}  // namespace

BlockRunner::BlockRunner(Measurement measurement)
    : m_(measurement),
      end_rule_(m_.spec),
      host_(ranks_here(m_.agreement)),
      device_clock_(make_device_clock(m_.session)),
      traffic_(m_.arms.size()) {
  const auto marks = static_cast<std::size_t>(m_.spec.block_steps * m_.session.options.accumulate) * kMarksPerStep + 2;
  log_marks_.reserve(static_cast<std::size_t>(m_.spec.block_steps) + 1);
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
    for (std::int64_t i = 0; i < m_.spec.warmup_steps; ++i) {
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
  return join(block_order(static_cast<std::int64_t>(m_.arms.size()), m_.spec.seed, super_blocks_ + 1));
}

void BlockRunner::run() {
  ProgressLine progress(m_.rank, m_.spec);
  const auto begin = wall_ns();
  while (true) {
    const auto elapsed_s = seconds(wall_ns() - begin);
    progress.say("measure", super_blocks_, elapsed_s);
    const auto answer = [&](const std::vector<std::string>& words) { return decide(words, elapsed_s); };
    const auto word = m_.agreement.from_rank0(to_word(report_), answer);
    if (word == kStop) break;
    run_super_block(++super_blocks_, split(word));
  }
  if (m_.session.accelerator != nullptr) measure_device_phases();
  add_metrics();
  m_.writer.flush();
}

void BlockRunner::run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order) {
  const auto skipped_before = m_.session.skipped_steps;
  report_.disturbed = false;
  for (std::size_t position = 0; position < order.size(); ++position) {
    run_block(super_block, static_cast<std::int64_t>(position), static_cast<std::size_t>(order[position]));
  }
  write_super_block(m_.session.skipped_steps != skipped_before);
}

// The wall clock is read next to the steps: the CPU clocks' system calls stay outside of what it measures.
BlockRunner::BlockBoundary BlockRunner::at_begin() {
  BlockBoundary boundary;
  boundary.process_cpu_ns = process_cpu_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.wall_ns = wall_ns();
  return boundary;
}

BlockRunner::BlockBoundary BlockRunner::at_end() {
  BlockBoundary boundary;
  boundary.wall_ns = wall_ns();
  boundary.thread_cpu_ns = thread_cpu_ns();
  boundary.process_cpu_ns = process_cpu_ns();
  return boundary;
}

// The clocks at the end of step `step`; the first is the discarded one.
void BlockRunner::end_step(std::size_t step, const BlockConditions& conditions) {
  auto& probe = m_.session.probe;
  const bool last = step == static_cast<std::size_t>(m_.spec.block_steps);
  if (conditions.timers) probe.end_step();
  if (step == 0) begin_ = at_begin();
  if (last) end_ = at_end();
  if (step == 0 || last) device_clock_->mark();
  if (step == 0 && conditions.device_events) probe.mark_phases_on(device_clock_.get(), &marked_phases_);
}

void BlockRunner::run_steps(Arm& arm) {
  const auto count = static_cast<std::size_t>(m_.spec.block_steps) + 1;
  const auto conditions = arm.conditions();
  auto& probe = m_.session.probe;
  at::Tensor loss, discarded_loss;
  log_marks_.clear();
  marked_phases_.clear();
  probe.show_ranges(conditions.ranges);
  if (conditions.timers) probe.open(count);
  for (std::size_t i = 0; i < count; ++i) {
    loss = arm.step();
    if (i == 0) discarded_loss = loss.detach().clone();  // read later: on a device reading it is waiting for it
    end_step(i, conditions);
    log_marks_.push_back(m_.log.size());
    stop_if_requested();
  }
  probe.mark_phases_on(nullptr, nullptr);
  steps_ = probe.close();
  if (!conditions.timers) steps_.clear();
  probe.show_ranges(true);
  const auto& device_s = device_clock_->read();
  device_s_ = device_s.empty() ? std::nan("") : std::accumulate(device_s.begin(), device_s.end(), 0.0);
  discarded_loss_ = discarded_loss.item<float>();
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

void BlockRunner::run_block(std::int64_t super_block, std::int64_t position, std::size_t arm) {
  const auto& named = m_.arms.at(arm);
  ++block_;
  nvtx_push_block(static_cast<std::uint32_t>(arm));
  if (named.arm->conditions().ideal_network) {
    run_ideal(*named.arm);
  } else {
    run_steps(*named.arm);
  }
  nvtx_pop();
  settle(*named.arm);
  for (std::size_t step = 0; step < log_marks_.size(); ++step) add_step_row(super_block, named.name, step);
  add_block_row(super_block, position, named);
  report_steps(arm);
  count_collectives(arm);
  m_.log.clear();
}

void BlockRunner::measure_device_phases() {
  for (int super_block = 0; super_block < kPhaseSuperBlocks; ++super_block) {
    for (const auto& named : m_.arms) {
      device_phases_.measure(m_.session, named, m_.spec.block_steps);
      settle(*named.arm);
      m_.log.clear();
      stop_if_requested();
    }
  }
}

// Timed steps of an arm that has timers, on the clock that the verdict rests on.
void BlockRunner::report_steps(std::size_t arm) {
  auto& steps_s = report_.steps_s[arm];
  steps_s.clear();
  if (!std::isnan(device_s_)) {
    steps_s.push_back(device_s_ / static_cast<double>(m_.spec.block_steps));
    return;
  }
  for (std::size_t i = 1; i < steps_.size(); ++i) steps_s.push_back(seconds(steps_[i].thread_cpu_ns));
}

// An arm without timers has a row as well: its times are empty.
void BlockRunner::add_step_row(std::int64_t super_block, const std::string& arm, std::size_t step) {
  StepRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = super_block;
  row.block = block_;
  row.arm = arm;
  row.step = static_cast<std::int64_t>(step);
  row.rank = m_.rank;
  row.discarded = step == 0;
  if (!steps_.empty()) {
    const auto& times = steps_[step];
    row.step_s = seconds(times.wall_ns);
    row.thread_cpu_s = seconds(times.thread_cpu_ns);
    row.data_s = phase_seconds(times, Phase::kData);
    row.h2d_s = phase_seconds(times, Phase::kH2d);
    row.forward_s = phase_seconds(times, Phase::kForward);
    row.backward_s = phase_seconds(times, Phase::kBackward);
    row.optimizer_s = phase_seconds(times, Phase::kOptimizer);
    row.wrapper_s = phase_seconds(times, Phase::kWrapper);
    row.other_s = phase_seconds(times, Phase::kOther);
  }
  row.comm_wait_s = seconds(comm_wait_ns(m_.log.records(step == 0 ? 0 : log_marks_[step - 1], log_marks_[step])));
  if (row.discarded) row.loss = static_cast<double>(discarded_loss_);
  step_rows_.push_back(std::move(row));
}

std::string BlockRunner::instrumentation(const BlockConditions& conditions) const {
  std::string text = conditions.timers ? "timers" : "";
  const auto add = [&](const char* what) {
    if (!text.empty()) text += "+";
    text += what;
  };
  if (conditions.ranges && nvtx_built()) add("nvtx");
  if (m_.session.accelerator != nullptr) add(conditions.device_events ? "phase_events" : "events");
  return text.empty() ? "off" : text;
}

void BlockRunner::add_block_row(std::int64_t super_block, std::int64_t position, const NamedArm& arm) {
  BlockRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = super_block;
  row.block = block_;
  row.position = position;
  row.arm = arm.name;
  row.rank = m_.rank;
  row.wall_s = seconds(end_.wall_ns - begin_.wall_ns);
  row.device_s = device_s_;
  row.thread_cpu_s = seconds(end_.thread_cpu_ns - begin_.thread_cpu_ns);
  row.process_cpu_s = seconds(end_.process_cpu_ns - begin_.process_cpu_ns);
  row.instrumentation = instrumentation(arm.arm->conditions());
  add_host_use(row);
  m_.writer.add(row);
}

void BlockRunner::add_host_use(BlockRow& row) {
  const auto use = host_.since_last();
  row.load = use.load;
  row.steal_s = use.steal_s;
  row.foreign_cpu_s = use.foreign_cpu_s;
  row.throttled_s = use.throttled_s;
  row.disturbed = use.disturbed;
  report_.disturbed = report_.disturbed || use.disturbed;
}

// A step without an update is less work: no arm of its super-block can be compared.
void BlockRunner::write_super_block(bool update_left_out) {
  if (update_left_out) ++discarded_super_blocks_;
  for (auto& row : step_rows_) {
    row.discarded = row.discarded || update_left_out;
    m_.writer.add(row);
  }
  step_rows_.clear();
  m_.writer.flush();
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
    for (const auto& metric : m_.arms[i].arm->metrics()) add(name, metric.name, metric.value, metric.unit);
  }
  for (const auto& [arm, means] : device_phases_.means()) {
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      add(arm, "device_" + std::string(kPhaseNames[phase]) + "_s", means[phase], "s");
    }
  }
  add("", "discarded_super_blocks", static_cast<double>(discarded_super_blocks_), "1");
  if (m_.rank == 0) add("", "disturbed_super_blocks", static_cast<double>(end_rule_.disturbed()), "1");
  add("", "peak_memory_mib", peak_memory_mib(), "MiB");
  if (m_.session.accelerator != nullptr) {
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    add("", "peak_device_memory_mib", static_cast<double>(m_.session.accelerator->peak_reserved_bytes()) / kBytesPerMib, "MiB");
  }
}

}  // namespace ddpbench
