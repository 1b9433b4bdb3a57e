#include "suite/traces/kineto_reader.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/traces/inflated_text.hpp"
#include "suite/traces/kineto_events.hpp"

namespace ddpbench {
namespace {

// "block 3 raw" -> a block of that arm, in our traces only: a stranger may call anything a block.
void find_blocks(Trace& trace) {
  constexpr std::string_view kMark = "block ";
  for (auto& event : trace.events) {
    if (event.kind != EventKind::kRange) continue;
    const auto name = trace.name_of(event);
    const auto blank = name.find(' ', kMark.size());
    if (!name.starts_with(kMark) || blank == std::string::npos) continue;
    const auto number = parse_number<std::int64_t>(std::string_view(name).substr(kMark.size(), blank - kMark.size()));
    if (!number) continue;
    event.kind = EventKind::kBlock;
    event.value = *number;
    event.name = trace.names.id(std::string_view(name).substr(blank + 1));
  }
}

}  // namespace

Trace read_kineto(const std::string& path) {
  Trace trace;
  trace.file = path;
  const auto facts = file_facts(path);
  trace.rank = facts.rank;
  InflatedText text(path);
  KinetoEvents events(trace);
  const bool is_whole = nlohmann::json::sax_parse(InflatedTextIterator(text), InflatedTextIterator(), &events);
  if (!is_whole && text.at_end())
    throw UsageError(path + ": the JSON is cut short: its writer did not end, or the copy is not whole");
  if (!is_whole) throw UsageError(path + ": is no JSON: " + printable(events.mistake(), 300));
  if (!events.has_events_list()) throw UsageError(path + ": is JSON, but no trace of torch.profiler: it has no list traceEvents");
  if (trace.events.empty()) throw UsageError(path + ": the trace is empty: it holds no operation, kernel or annotation");
  if (events.is_of_ddpbench()) {
    find_blocks(trace);
    if (trace.launch.empty()) trace.launch = facts.launch;
  } else {
    trace.launch.clear();
  }
  sort_events(trace);
  return trace;
}

}  // namespace ddpbench
