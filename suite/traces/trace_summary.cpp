#include "suite/traces/trace_summary.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <unordered_map>

namespace ddpbench {
namespace {

// Sums up while it walks over the events of a trace once.
class Summarizer {
 public:
  Summarizer(const Trace& trace, const TraceSteps& steps, RankSummary& summary)
      : trace_(trace), steps_(steps.steps), timeline_(make_timeline(trace, steps.steps)), summary_(summary) {
    summary.detail = timeline_.detail;
    for (const auto& step : steps_) {
      arms_.push_back(arm_place(step.arm));
      threads_.insert(step.thread);
    }
    for (const auto& event : trace.events) {
      if (event.kind == EventKind::kCall && event.correlation != 0) calls_.try_emplace(event.correlation, event.begin);
    }
    for (const auto& count : trace.memory) {
      if (memory_.size() <= count.device) memory_.resize(count.device + 1);
      memory_[count.device].push_back(count);
    }
  }

  void run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) add_step(i);
    for (std::size_t arm = 0; arm < summary_.arms.size(); ++arm) add_memory(arm);
    std::map<std::uint32_t, std::vector<Open>> stacks;
    for (const auto& event : trace_.events) {
      switch (event.kind) {
        case EventKind::kOperation: add_operation(event, stacks[event.thread]); break;
        case EventKind::kCollective:
          if (is_communication(trace_, event)) {
            add_collective(event, event.begin);
          } else {
            has_nccl_calls_ = true;
          }
          break;
        case EventKind::kKernel:
        case EventKind::kCopy:
        case EventKind::kCollectiveKernel: add_launched(event); break;
        case EventKind::kPhase: add_mark(event); break;
        default: break;
      }
    }
    if (has_nccl_calls_ && timeline_.detail != TraceDetail::kKernels)
      summary_.note =
          "collectives of NCCL ran, but the trace holds no kernels: what the GPU did is not in it (record its activity, too)";
    for (auto& [thread, stack] : stacks) close(stack, std::numeric_limits<std::int64_t>::max());
  }

 private:
  struct Open {
    const Event* event;
    NamedTime* sum;  // null: it began outside the steps
  };

  std::size_t arm_place(const std::string& arm) {
    auto& arms = summary_.arms;
    std::size_t place = 0;
    while (place < arms.size() && arms[place].first != arm) ++place;
    if (place == arms.size()) arms.emplace_back(arm, ArmSum{});
    return place;
  }

  ArmSum& arm_of(std::size_t step) { return summary_.arms[arms_[step]].second; }

  // The place of the first step that ends after an instant.
  std::size_t first_step_after(std::int64_t instant) const {
    const auto at =
        std::partition_point(steps_.begin(), steps_.end(), [&](const TraceStep& step) { return step.time.end <= instant; });
    return static_cast<std::size_t>(at - steps_.begin());
  }

  // The place of the step in which an instant lies; their number where it lies in none.
  std::size_t step_at(std::int64_t instant) const {
    const auto at = first_step_after(instant);
    return at < steps_.size() && steps_[at].time.begin <= instant ? at : steps_.size();
  }

  void add_step(std::size_t place) {
    const auto& step = steps_[place];
    auto& arm = arm_of(place);
    const auto parts = partition(timeline_, step.time);
    const auto duration = step.time.end - step.time.begin;
    ++arm.steps;
    arm.step_ns += duration;
    arm.partition.hidden += parts.hidden;
    for (std::size_t i = 0; i < kPartCount; ++i) arm.partition.parts[i] += parts.parts[i];
    StepPhases phases{step.block, step.ordinal, duration, {}, parts.parts[index_of(TracePart::kExposed)]};
    auto other = duration;
    for (const auto& [time, phase] : phases_within(timeline_, step.time)) {
      phases.phases_ns[phase] += time.end - time.begin;
      other -= time.end - time.begin;
      arm.has_phases = true;
    }
    phases.phases_ns[index_of(Phase::kOther)] += other;
    for (std::size_t i = 0; i < kPhaseCount; ++i) arm.phases[i].time_ns += phases.phases_ns[i];
    arm.each_step.push_back(phases);
  }

  // What is counted of a device's own memory is all of it: its allocator knows what lives.
  void add_memory(std::size_t arm) {
    constexpr std::int64_t kMostPoints = 1000;
    std::vector<Interval> steps;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (arms_[i] == arm) steps.push_back(steps_[i].time);
    }
    for (std::uint32_t device = 0; device < memory_.size(); ++device) {
      const auto& name = trace_.devices.text(device);
      DeviceMemory memory{.device = name, .is_whole = name != "cpu" || trace_.knows_all_host_memory};
      for (const auto& step : steps) memory.add(memory_points(memory_[device], timeline_, step), step.end - step.begin);
      if (memory.step_ns == 0) continue;  // counted behind the steps only
      const auto middle = steps.begin() + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
      std::nth_element(steps.begin(), middle, steps.end(),
                       [](const Interval& a, const Interval& b) { return a.end - a.begin < b.end - b.begin; });
      memory.typical_ns = middle->end - middle->begin;
      memory.typical = thinned(memory_points(memory_[device], timeline_, *middle), memory.typical_ns, kMostPoints);
      summary_.arms[arm].second.memory.push_back(std::move(memory));
    }
  }

  void add_mark(const Event& event) {
    const auto step = step_at(event.begin);
    if (step < steps_.size() && threads_.contains(event.thread))
      ++arm_of(step).phases[static_cast<std::size_t>(event.value)].marks;
  }

  void close(std::vector<Open>& stack, std::int64_t instant) const {
    while (!stack.empty() && stack.back().event->end <= instant) stack.pop_back();
  }

  void add_operation(const Event& event, std::vector<Open>& stack) {
    close(stack, event.begin);
    const auto step = step_at(event.begin);
    NamedTime* sum = nullptr;
    if (step < steps_.size()) {
      auto& arm = arm_of(step);
      sum = &arm.operation_names[trace_.name_of(event)];
      ++sum->count;
      sum->time_ns += event.end - event.begin;
      if (threads_.contains(event.thread)) ++arm.operations;
    }
    if (!stack.empty() && stack.back().sum != nullptr)
      stack.back().sum->time_ns -= std::min(event.end, stack.back().event->end) - event.begin;
    stack.push_back({&event, sum});
  }

  // Counts for the step of `since`; is exposed in the steps in which it runs. Of collectives that run together the first one has
  // the time, so that all of them add up to the part of the step.
  void add_collective(const Event& event, std::int64_t since) {
    const auto& name = trace_.name_of(event);
    const auto begin = timeline_.detail == TraceDetail::kRanges ? event.end : std::max(event.begin, exposed_until_);
    exposed_until_ = std::max(event.end, exposed_until_);
    for (auto step = first_step_after(begin); begin < event.end && step < steps_.size() && steps_[step].time.begin < event.end;
         ++step) {
      const Interval inside{std::max(begin, steps_[step].time.begin), std::min(event.end, steps_[step].time.end)};
      arm_of(step).collective_names[name].exposed_ns += inside.end - inside.begin - length(within(timeline_.computing, inside));
    }
    const auto step = step_at(since);
    if (step == steps_.size()) return;
    auto& sum = arm_of(step).collective_names[name];
    const auto duration = event.end - event.begin;
    ++sum.count;
    sum.time_ns += duration;
    if (event.value <= 0) return;
    ++sum.sized;
    sum.bytes += event.value;
    sum.sized_ns += duration;
  }

  // By the time of the call that launched it: backward's kernels are launched by a thread of autograd's.
  void add_launched(const Event& event) {
    const auto call = calls_.find(event.correlation);
    const auto since = call != calls_.end() ? call->second : event.begin;
    if (event.kind == EventKind::kCollectiveKernel) add_collective(event, since);
    const auto step = step_at(since);
    if (step == steps_.size()) return;
    auto& arm = arm_of(step);
    const auto duration = event.end - event.begin;
    if (event.kind != EventKind::kCopy) ++arm.launches;
    arm.late_ns += std::max<std::int64_t>(0, event.end - std::max(event.begin, steps_[step].time.end));
    auto& phase = arm.phases[phase_at(timeline_, since).value_or(index_of(Phase::kOther))];
    if (event.kind != EventKind::kCopy) ++phase.kernels;
    phase.kernels_ns += duration;
    if (event.kind == EventKind::kCollectiveKernel) return;
    auto& sum = arm.kernel_names[trace_.name_of(event)];
    ++sum.count;
    sum.time_ns += duration;
  }

  const Trace& trace_;
  const std::vector<TraceStep>& steps_;
  Timeline timeline_;
  RankSummary& summary_;
  std::vector<std::size_t> arms_;  // of each step, its arm's place
  std::set<std::uint32_t> threads_;
  bool has_nccl_calls_ = false;
  std::int64_t exposed_until_ = std::numeric_limits<std::int64_t>::min();
  std::unordered_map<std::uint32_t, std::int64_t> calls_;  // by correlation, when the call began
  std::vector<std::vector<MemoryCount>> memory_;           // of each device
};

void add_names(std::map<std::string, NamedTime>& to, const std::map<std::string, NamedTime>& more) {
  for (const auto& [name, sum] : more) {
    auto& at = to[name];
    at.count += sum.count;
    at.time_ns += sum.time_ns;
    at.exposed_ns += sum.exposed_ns;
    at.bytes += sum.bytes;
    at.sized += sum.sized;
    at.sized_ns += sum.sized_ns;
  }
}

}  // namespace

RankSummary summarize(const Trace& trace, const TraceSteps& steps) {
  RankSummary summary;
  summary.file = trace.file;
  summary.launch = trace.launch;
  summary.rank_number = trace.rank;
  summary.rank = trace.rank ? std::to_string(*trace.rank) : std::filesystem::path(trace.file).filename().string();
  summary.source = steps.source;
  Summarizer(trace, steps, summary).run();
  return summary;
}

void add(ArmSum& to, const ArmSum& more) {
  to.steps += more.steps;
  to.step_ns += more.step_ns;
  to.partition.hidden += more.partition.hidden;
  for (std::size_t i = 0; i < kPartCount; ++i) to.partition.parts[i] += more.partition.parts[i];
  to.operations += more.operations;
  to.launches += more.launches;
  to.late_ns += more.late_ns;
  to.has_phases = to.has_phases || more.has_phases;
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    to.phases[i].time_ns += more.phases[i].time_ns;
    to.phases[i].marks += more.phases[i].marks;
    to.phases[i].kernels += more.phases[i].kernels;
    to.phases[i].kernels_ns += more.phases[i].kernels_ns;
  }
  for (const auto& memory : more.memory) {
    const auto same =
        std::find_if(to.memory.begin(), to.memory.end(), [&](const DeviceMemory& one) { return one.device == memory.device; });
    same == to.memory.end() ? to.memory.push_back(memory) : same->add(memory);
  }
  add_names(to.operation_names, more.operation_names);
  add_names(to.kernel_names, more.kernel_names);
  add_names(to.collective_names, more.collective_names);
}

void add_span(RankSummary& to, RankSummary more) {
  ++to.spans;
  if (to.note.empty()) to.note = more.note;
  for (auto& [name, arm] : more.arms) {
    auto at =
        std::find_if(to.arms.begin(), to.arms.end(), [&, &arm_name = name](const auto& one) { return one.first == arm_name; });
    if (at == to.arms.end()) {
      to.arms.emplace_back(std::move(name), std::move(arm));
      continue;
    }
    auto& steps = at->second.each_step;
    const auto blocks = steps.empty() ? 0 : steps.back().block;
    for (auto& step : arm.each_step) {
      step.block += blocks;
      steps.push_back(step);
    }
    add(at->second, arm);
  }
}

}  // namespace ddpbench
