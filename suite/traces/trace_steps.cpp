#include "suite/traces/trace_steps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"

namespace ddpbench {
namespace {

bool is_marked(EventKind kind) {
  return kind == EventKind::kRange || kind == EventKind::kStep || kind == EventKind::kPhase || kind == EventKind::kBlock ||
         kind == EventKind::kLoading;
}

bool is_named(const std::string& name, const std::string& wanted) {
  if (wanted.ends_with('*')) return name.starts_with(wanted.substr(0, wanted.size() - 1));
  return name == wanted;
}

// The names of ranges that can be steps, for a message: those with a number behind # once, as a prefix.
std::string existing_names(const Trace& trace) {
  constexpr std::size_t kShown = 20;
  std::set<std::string> names;
  for (const auto& event : trace.events) {
    if (!is_marked(event.kind)) continue;
    const auto& name = trace.name_of(event);
    const auto hash = name.find_last_not_of("0123456789");
    const bool is_numbered = hash != std::string::npos && hash + 1 < name.size() && name[hash] == '#';
    names.insert(printable(is_numbered ? name.substr(0, hash + 1) + "*" : name, 60));
  }
  if (names.empty()) return "the trace has no ranges of its user";
  std::string text = "its ranges are";
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (++shown > kShown) break;
    text += (shown == 1 ? " '" : ", '") + name + "'";
  }
  return text + (names.size() > kShown ? " and " + std::to_string(names.size() - kShown) + " more" : "");
}

// Of the matching ranges the outermost ones, of the thread that spends most in them.
template <class Matches>
std::vector<const Event*> outermost(const Trace& trace, const Matches& matches) {
  struct OfThread {
    std::vector<const Event*> found;
    std::int64_t time = 0;
  };
  std::map<std::uint32_t, OfThread> threads;
  for (const auto& event : trace.events) {
    if (event.end <= event.begin || !matches(event)) continue;
    auto& [found, time] = threads[event.thread];
    if (!found.empty() && event.begin < found.back()->end) continue;
    found.push_back(&event);
    time += event.end - event.begin;
  }
  const auto most = std::max_element(threads.begin(), threads.end(),
                                     [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
  return most == threads.end() ? std::vector<const Event*>{} : most->second.found;
}

std::vector<const Event*> blocks_of(const Trace& trace) {
  return outermost(trace, [](const Event& event) { return event.kind == EventKind::kBlock; });
}

// Gives each step the block that holds it, and numbers it there. `arm` is that of a step in no block.
std::vector<TraceStep> placed(const Trace& trace, const std::vector<const Event*>& found, const std::string& arm) {
  const auto blocks = blocks_of(trace);
  std::vector<TraceStep> steps;
  std::size_t block = 0;
  int ordinal = 0;
  for (const auto* event : found) {
    while (block < blocks.size() && blocks[block]->end <= event->begin) {
      ++block;
      ordinal = 0;
    }
    const bool is_inside = block < blocks.size() && blocks[block]->begin <= event->begin && event->end <= blocks[block]->end;
    TraceStep step{{event->begin, event->end}, is_inside ? trace.name_of(*blocks[block]) : arm, event->thread};
    if (is_inside) {
      step.block = static_cast<int>(block) + 1;
      step.ordinal = ++ordinal;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

// Of the host: the thread with most operations, calls or ranges; and the time from its first to its last event.
TraceSteps whole_window(const Trace& trace) {
  std::map<std::uint32_t, std::pair<std::size_t, Interval>> threads;
  for (const auto& event : trace.events) {
    if (event.kind == EventKind::kKernel || event.kind == EventKind::kCollectiveKernel || event.kind == EventKind::kCopy)
      continue;
    auto& [count, window] = threads.try_emplace(event.thread, 0, Interval{event.begin, event.end}).first->second;
    ++count;
    window.end = std::max(window.end, event.end);
  }
  const auto most = std::max_element(threads.begin(), threads.end(),
                                     [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  if (most == threads.end() || most->second.second.end <= most->second.second.begin)
    throw UsageError(trace.file + ": the trace is empty: it holds no operation, call or range of a host thread");
  return {{{most->second.second, "whole window", most->first}}, StepSource::kWholeWindow};
}

}  // namespace

TraceSteps find_steps(const Trace& trace, const std::string& step_range) {
  if (!step_range.empty()) {
    auto found =
        outermost(trace, [&](const Event& event) { return is_marked(event.kind) && is_named(trace.name_of(event), step_range); });
    if (found.empty())
      throw UsageError(trace.file + ": --step-range '" + step_range + "': no range has this name; " + existing_names(trace));
    return {placed(trace, found, step_range), StepSource::kNamedRange};
  }
  auto found = outermost(trace, [](const Event& event) { return event.kind == EventKind::kStep && event.value >= 0; });
  auto steps = placed(trace, found, "ProfilerStep");
  if (steps.empty()) return whole_window(trace);
  if (blocks_of(trace).empty()) return {std::move(steps), StepSource::kProfilerSteps};
  std::erase_if(steps, [](const TraceStep& step) { return step.block == 0; });
  if (steps.empty())
    throw UsageError(trace.file + ": no step lies in a block of ddpbench: the trace was cut, or is not of this version");
  return {std::move(steps), StepSource::kBlocks};
}

}  // namespace ddpbench
