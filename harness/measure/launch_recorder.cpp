#include "harness/measure/launch_recorder.hpp"

#include <algorithm>

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

LaunchRecorder::LaunchRecorder(const Measurement& measurement) : m_(measurement), traffic_(m_.arms.size()) {}

void LaunchRecorder::add_block(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, const HostUse& use) {
  const auto& named = m_.arms.at(arm);
  ++block_;
  for (std::size_t step = 0; step < block.log_marks.size(); ++step) add_step_row(place, named.name, block, step);
  add_block_row(place, named, block, use);
  count_collectives(arm, block);
}

// An arm without timers has a row as well: its times are empty.
void LaunchRecorder::add_step_row(const BlockPlace& place, const std::string& arm, const MeasuredBlock& block, std::size_t step) {
  StepRow row;
  row.launch_id = m_.spec.launch_id;
  row.super_block = place.super_block;
  row.block = block_;
  row.arm = arm;
  row.step = static_cast<std::int64_t>(step);
  row.rank = m_.rank;
  row.discarded = step == 0;
  if (!block.steps.empty()) fill_times(block.steps[step], row);
  const auto begin = step == 0 ? 0 : block.log_marks[step - 1];
  row.comm_wait_s = seconds(comm_wait_ns(m_.log.records(begin, block.log_marks[step])));
  if (row.discarded) row.loss = static_cast<double>(block.discarded_loss);
  step_rows_.push_back(std::move(row));
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
  row.instrumentation = instrumentation(arm.arm->conditions());
  row.load = use.load;
  row.steal_s = use.steal_s;
  row.foreign_cpu_s = use.foreign_cpu_s;
  row.throttled_s = use.throttled_s;
  row.disturbed = use.disturbed;
  m_.writer.add(row);
}

void LaunchRecorder::count_collectives(std::size_t arm, const MeasuredBlock& block) {
  auto& traffic = traffic_[arm];
  const auto timed = m_.log.records(block.log_marks.front(), block.log_marks.back());
  traffic.steps += m_.spec.protocol.block_steps;
  traffic.collectives += static_cast<std::int64_t>(timed.size());
  for (const auto& record : timed) traffic.bytes += record.bytes;
}

void LaunchRecorder::end_super_block(bool update_left_out) {
  if (update_left_out) ++discarded_super_blocks_;
  for (auto& row : step_rows_) {
    row.discarded = row.discarded || update_left_out;
    m_.writer.add(row);
  }
  step_rows_.clear();
  m_.writer.flush();
}

void LaunchRecorder::add_metric(const std::string& arm, const std::string& metric, double value, const std::string& unit) {
  m_.writer.add(MetricRow{m_.spec.launch_id, arm, m_.rank, metric, value, unit});
}

void LaunchRecorder::add_metrics() {
  for (std::size_t i = 0; i < m_.arms.size(); ++i) {
    const auto& name = m_.arms[i].name;
    const auto steps = static_cast<double>(std::max<std::int64_t>(1, traffic_[i].steps));
    add_metric(name, "collectives_per_step", static_cast<double>(traffic_[i].collectives) / steps, "1");
    add_metric(name, "collective_bytes_per_step", static_cast<double>(traffic_[i].bytes) / steps, "B");
    for (const auto& metric : m_.arms[i].arm->metrics()) add_metric(name, metric.name, metric.value, metric.unit);
  }
  add_metric("", "discarded_super_blocks", static_cast<double>(discarded_super_blocks_), "1");
  add_metric("", "peak_memory_mib", peak_memory_mib(), "MiB");
  if (m_.session.accelerator != nullptr) {
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    add_metric("", "peak_device_memory_mib", static_cast<double>(m_.session.accelerator->peak_reserved_bytes()) / kBytesPerMib,
               "MiB");
  }
}

}  // namespace ddpbench
