#include "harness/measure/blocks/launch_recorder.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

double phase_seconds(const StepTimes& times, Phase phase) { return seconds(times.phase_ns[index_of(phase)]); }

void fill_times(const StepTimes& times, StepRow& row) {
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

}  // namespace

void LaunchRecorder::CommWaits::add(const std::array<std::int64_t, kPhaseCount>& of_step_ns) {
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) sums_ns[phase] += of_step_ns[phase];
  ++steps;
}

LaunchRecorder::LaunchRecorder(const Measurement& measurement) : m_(measurement), comm_waits_(measurement.arms.size()) {
  const CollectorRequest request{m_.arms.size(), m_.spec.protocol.block_steps, m_.session.accelerator};
  for (const auto& line : collected_metrics()) collectors_.push_back(line.make(request));
}

void LaunchRecorder::before_timed_steps(std::size_t arm) {
  for (const auto& collector : collectors_) collector->before_timed_steps(arm);
}

void LaunchRecorder::after_timed_steps(std::size_t arm) {
  for (const auto& collector : collectors_) collector->after_timed_steps(arm);
}

void LaunchRecorder::add_block(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, const HostUse& use) {
  const auto& named = m_.arms.at(arm);
  ++block_;
  for (std::size_t step = 0; step < block.log_marks.size(); ++step) add_step_row(place, arm, block, step);
  add_block_row(place, named, block, use);
  const auto first_timed = block.discarded == 0 ? 0 : block.log_marks[static_cast<std::size_t>(block.discarded) - 1];
  const auto timed = m_.log.records(first_timed, block.log_marks.back());
  for (const auto& collector : collectors_) collector->after_block(arm, timed);
}

// An arm without timers has a row as well: its times are empty.
void LaunchRecorder::add_step_row(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, std::size_t step) {
  StepRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = place.super_block;
  row.block = block_;
  row.arm = m_.arms[arm].name;
  row.step = static_cast<std::int64_t>(step) - block.discarded + 1;
  row.rank = m_.rank;
  row.discarded = row.step <= 0;
  if (!block.steps.empty()) fill_times(block.steps[step], row);
  if (!block.steps.empty() && block.has_delays) row.run_delay_s = seconds(block.steps[step].run_delay_ns);
  const auto begin = step == 0 ? 0 : block.log_marks[step - 1];
  const auto backward_end_ns = block.steps.empty() ? 0 : block.steps[step].backward_end.wall_ns;
  const auto waits_ns = comm_waits_ns(m_.log.records(begin, block.log_marks[step]), backward_end_ns);
  row.comm_wait_s = seconds(over_phases(waits_ns));
  if (row.step == 0) row.loss = static_cast<double>(block.discarded_loss);
  steps_.push_back({std::move(row), arm, waits_ns});
}

std::string LaunchRecorder::instrumentation(const BlockConditions& conditions) const {
  std::string text = conditions.timers ? "timers" : "";
  const auto add = [&](const char* what) {
    if (!text.empty()) text += "+";
    text += what;
  };
  if (conditions.ranges && nvtx_built()) add("nvtx");
  if (m_.session.accelerator != nullptr) add(conditions.device_events ? "phase_events" : "events");
  return text.empty() ? "off" : text;
}

void LaunchRecorder::add_block_row(const BlockPlace& place, const NamedArm& arm, const MeasuredBlock& block, const HostUse& use) {
  BlockRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = place.super_block;
  row.block = block_;
  row.position = place.position;
  row.arm = arm.name;
  row.rank = m_.rank;
  row.wall_s = seconds(block.end.wall_ns - block.begin.wall_ns);
  row.device_s = block.device_s;
  row.thread_cpu_s = seconds(block.end.thread_cpu_ns - block.begin.thread_cpu_ns);
  row.process_cpu_s = seconds(block.end.process_cpu_ns - block.begin.process_cpu_ns);
  row.instructions = counted_between(block.begin.instructions, block.end.instructions);
  row.instrumentation = instrumentation(arm.arm->conditions());
  row.load = use.load;
  row.steal_s = use.steal_s;
  row.foreign_cpu_s = use.foreign_cpu_s;
  row.throttled_s = use.throttled_s;
  row.disturbed = use.disturbed;
  if (block.has_delays && !block.steps.empty()) {
    std::int64_t delay_ns = 0;
    for (auto i = static_cast<std::size_t>(block.discarded); i < block.steps.size(); ++i) delay_ns += block.steps[i].run_delay_ns;
    row.run_delay_s = seconds(delay_ns);
  }
  block_rows_.push_back(std::move(row));
}

void LaunchRecorder::end_super_block(const std::vector<std::vector<double>>& awaited_ns) {
  if (block_rows_.empty()) return;
  for (const auto& collector : collectors_) collector->after_super_block(left_out_);
  const auto first = block_rows_.front().block;
  const auto steps_of = [&](std::int64_t block) {
    const auto place = static_cast<std::size_t>(block - first);
    return place < awaited_ns.size() ? awaited_ns[place] : std::vector<double>{};
  };
  std::int64_t block = 0;
  std::size_t place = 0;  // of the step in its block
  for (auto& [row, arm, waits_ns] : steps_) {
    place = row.block == std::exchange(block, row.block) ? place + 1 : 0;
    const auto& steps_ns = steps_of(row.block);
    if (place < steps_ns.size()) row.awaited_s = steps_ns[place] / 1e9;
    row.discarded = row.discarded || left_out_;
    if (!row.discarded) comm_waits_[arm].add(waits_ns);
    m_.writer.add(row);
  }
  for (auto& row : block_rows_) {
    const auto& steps_ns = steps_of(row.block);
    const auto timed = static_cast<std::size_t>(m_.spec.protocol.block_steps);
    if (steps_ns.size() >= timed)
      row.awaited_s = std::accumulate(steps_ns.end() - m_.spec.protocol.block_steps, steps_ns.end(), 0.0) / 1e9;
    m_.writer.add(row);
  }
  steps_.clear();
  block_rows_.clear();
  left_out_ = false;
  m_.writer.flush();
}

void LaunchRecorder::add_metric(const std::string& arm, const Metric& metric, double value) {
  add_metric_row(arm, std::string(metric.name), value, metric.unit);
}

void LaunchRecorder::add_named_metric(const std::string& arm, const Metric& metric, const std::string& work, double value) {
  add_metric_row(arm, named_metric(metric, work), value, metric.unit);
}

void LaunchRecorder::add_metric_row(const std::string& arm, std::string name, double value, std::string_view unit) {
  if (std::isnan(value)) return;
  m_.writer.add(MetricRow{m_.spec.launch_id, arm, m_.rank, std::move(name), value, std::string(unit)});
}

// Where a device computes, the host's wait is not what collectives take.
void LaunchRecorder::add_comm_waits(std::size_t arm) {
  const auto& waits = comm_waits_[arm];
  if (m_.session.accelerator != nullptr || waits.steps == 0) return;
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase)
    add_metric(m_.arms[arm].name, kMetrics.comm_waits[phase], seconds(waits.sums_ns[phase]) / static_cast<double>(waits.steps));
}

void LaunchRecorder::add_metrics() {
  const auto lines = collected_metrics();
  for (std::size_t arm = 0; arm < m_.arms.size(); ++arm) {
    const auto& name = m_.arms[arm].name;
    add_comm_waits(arm);
    for (std::size_t i = 0; i < lines.size(); ++i) add_metric(name, lines[i].metric, collectors_[i]->of_arm(arm));
    for (const auto& found : m_.arms[arm].arm->metrics()) {
      if (found.work.empty()) {
        add_metric(name, found.metric, found.value);
      } else {
        add_named_metric(name, found.metric, found.work, found.value);
      }
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) add_metric("", lines[i].metric, collectors_[i]->of_rank());
}

}  // namespace ddpbench
