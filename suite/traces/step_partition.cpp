#include "suite/traces/step_partition.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "suite/contract/tables/phase.hpp"

namespace ddpbench {
namespace {

using ThreadIds = std::set<std::uint32_t>;

// On a CPU backward runs in the thread that called it; for a device autograd has threads of its own.
ThreadIds threads_of(const Trace& trace, const std::vector<TraceStep>& steps) {
  ThreadIds threads;
  for (const auto& step : steps) threads.insert(step.thread);
  for (const auto& event : trace.events) {
    if (event.kind == EventKind::kOperation && trace.name_of(event).starts_with("autograd::engine::"))
      threads.insert(event.thread);
  }
  return threads;
}

// Looks only at what began between the first and the last step: before them a trace may hold more.
TraceDetail detail_of(const Trace& trace, const std::vector<TraceStep>& steps) {
  bool has_operations = false;
  for (const auto& event : trace.events) {
    if (steps.empty() || event.begin < steps.front().time.begin || event.begin >= steps.back().time.end) continue;
    if (event.kind == EventKind::kKernel || event.kind == EventKind::kCollectiveKernel) return TraceDetail::kKernels;
    has_operations = has_operations || event.kind == EventKind::kOperation;
  }
  return has_operations ? TraceDetail::kOperations : TraceDetail::kRanges;
}

bool is_data(std::size_t phase) { return phase == index_of(Phase::kData) || phase == index_of(Phase::kH2d); }

// Cuts nested phases into times of which each belongs to the innermost one.
class PhaseCutter {
 public:
  void add(Interval time, std::size_t phase) {
    close_until(time.begin);
    if (!open_.empty()) time.end = std::min(time.end, open_.back().time.end);
    cut(time.begin);
    open_.push_back({time, phase});
    at_ = time.begin;
  }
  std::vector<PhaseTime> take() {
    close_until(std::numeric_limits<std::int64_t>::max());
    return std::move(cut_);
  }

 private:
  void cut(std::int64_t until) {
    if (!open_.empty() && until > at_) cut_.push_back({{at_, until}, open_.back().phase});
    at_ = std::max(at_, until);
  }
  void close_until(std::int64_t instant) {
    while (!open_.empty() && open_.back().time.end <= instant) {
      cut(open_.back().time.end);
      open_.pop_back();
    }
  }
  std::vector<PhaseTime> open_, cut_;
  std::int64_t at_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

bool is_communication(const Trace& trace, const Event& event) {
  if (event.kind == EventKind::kCollectiveKernel) return true;
  return event.kind == EventKind::kCollective && !trace.name_of(event).starts_with("nccl:");
}

std::vector<TracePart> parts_of(TraceDetail detail) {
  switch (detail) {
    case TraceDetail::kOperations: return {TracePart::kOperations, TracePart::kExposed, TracePart::kData, TracePart::kHost};
    case TraceDetail::kKernels:
      return {TracePart::kOperations, TracePart::kExposed, TracePart::kIdleData, TracePart::kIdleLaunching, TracePart::kIdleHost};
    case TraceDetail::kRanges: return {TracePart::kData, TracePart::kOperationsAndHost};
  }
  return {};
}

Timeline make_timeline(const Trace& trace, const std::vector<TraceStep>& steps) {
  Timeline timeline;
  timeline.detail = detail_of(trace, steps);
  const auto threads = threads_of(trace, steps);
  ThreadIds step_threads;
  for (const auto& step : steps) step_threads.insert(step.thread);
  std::vector<Interval> kernels, operations, calls, communication, data;
  PhaseCutter phases;
  for (const auto& event : trace.events) {
    const Interval time{event.begin, event.end};
    const bool is_of_step = step_threads.contains(event.thread);
    if (event.kind == EventKind::kKernel || event.kind == EventKind::kCopy) kernels.push_back(time);
    if (event.kind == EventKind::kOperation && threads.contains(event.thread)) operations.push_back(time);
    if (event.kind == EventKind::kCall) calls.push_back(time);
    if (event.kind == EventKind::kLoading && is_of_step) data.push_back(time);
    if (event.kind == EventKind::kPhase && is_of_step) phases.add(time, static_cast<std::size_t>(event.value));
    if (timeline.detail != TraceDetail::kRanges && is_communication(trace, event)) communication.push_back(time);
  }
  timeline.phases = phases.take();
  for (const auto& [time, phase] : timeline.phases) {
    if (is_data(phase)) data.push_back(time);
  }
  timeline.data = united(std::move(data));
  timeline.communication = united(std::move(communication));
  timeline.computing = united(timeline.detail == TraceDetail::kKernels ? std::move(kernels) : operations);
  operations.insert(operations.end(), calls.begin(), calls.end());
  if (timeline.detail == TraceDetail::kKernels) timeline.host_busy = united(std::move(operations));
  return timeline;
}

TracePartition partition(const Timeline& timeline, Interval step) {
  TracePartition result;
  const auto set = [&](TracePart part, const IntervalSet& times) { result.parts[index_of(part)] = length(times); };
  const auto computing = within(timeline.computing, step);
  const auto communication = within(timeline.communication, step);
  const auto exposed = without(communication, computing);
  result.hidden = length(communication) - length(exposed);
  const auto rest = without(without({step}, computing), exposed);
  const auto after_data = without(rest, within(timeline.data, step));
  const bool has_kernels = timeline.detail == TraceDetail::kKernels;
  set(TracePart::kOperations, computing);
  set(TracePart::kExposed, exposed);
  result.parts[index_of(has_kernels ? TracePart::kIdleData : TracePart::kData)] = length(rest) - length(after_data);
  if (has_kernels) {
    const auto idle = without(after_data, within(timeline.host_busy, step));
    set(TracePart::kIdleHost, idle);
    result.parts[index_of(TracePart::kIdleLaunching)] = length(after_data) - length(idle);
  } else {
    set(timeline.detail == TraceDetail::kRanges ? TracePart::kOperationsAndHost : TracePart::kHost, after_data);
  }
  return result;
}

std::vector<PhaseTime> phases_within(const Timeline& timeline, Interval window) {
  const auto& all = timeline.phases;
  std::vector<PhaseTime> found;
  auto at = std::partition_point(all.begin(), all.end(), [&](const PhaseTime& one) { return one.time.end <= window.begin; });
  for (; at != all.end() && at->time.begin < window.end; ++at)
    found.push_back({{std::max(at->time.begin, window.begin), std::min(at->time.end, window.end)}, at->phase});
  return found;
}

std::optional<std::size_t> phase_at(const Timeline& timeline, std::int64_t instant) {
  const auto at = std::partition_point(timeline.phases.begin(), timeline.phases.end(),
                                       [&](const PhaseTime& one) { return one.time.end <= instant; });
  if (at == timeline.phases.end() || at->time.begin > instant) return std::nullopt;
  return at->phase;
}

}  // namespace ddpbench
