#include "suite/traces/nsys_reader.hpp"

#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/traces/sqlite_file.hpp"

namespace ddpbench {
namespace {

// Of table ENUM_NSYS_EVENT_TYPE, the same in all versions.
constexpr std::int64_t kMarkEvent = 34, kPushPopRange = 59, kStartEndRange = 60, kDomainEvent = 75;

// A globalTid holds machine, process and thread, a globalPid the same with thread 0; the lowest 24 bits are the thread's.
constexpr std::int64_t kThreadBits = 24;

std::string_view until(std::string_view text, std::string_view mark) { return text.substr(0, text.find(mark)); }

// An operation that torch.autograd.profiler.emit_nvtx wrote: "aten::mm, seq = 3, op_id = 17".
bool is_operation(std::string_view name) {
  for (const std::string_view space : {"aten::", "autograd::", "torch::", "c10d::", "c10::"}) {
    if (name.starts_with(space)) return true;
  }
  return false;
}

// "rank 3 of 8, launch L4"
void read_mark(Trace& trace, std::string_view text) {
  constexpr std::string_view kRank = "rank ", kOf = " of ", kLaunch = ", launch ";
  const auto of = text.find(kOf), launch = text.find(kLaunch);
  if (!text.starts_with(kRank) || of == std::string_view::npos || launch == std::string_view::npos || launch < of) return;
  const auto rank = parse_number<int>(text.substr(kRank.size(), of - kRank.size()));
  if (!rank || *rank < 0) return;
  trace.rank = rank;
  trace.launch = text.substr(launch + kLaunch.size());
}

class NsysExport {
 public:
  explicit NsysExport(const std::string& path) : path_(path), file_(path), facts_(file_facts(path)) {
    if (!file_.has_table("StringIds") || !(file_.has_table("META_DATA_EXPORT") || file_.has_table("EXPORT_META_DATA") ||
                                           file_.has_table("TARGET_INFO_SESSION_START_TIME")))
      throw UsageError(path + ": is a SQLite file, but no export of Nsight Systems (nsys export --type sqlite)");
    if (!file_.has_table("NVTX_EVENTS"))
      throw UsageError(
          path + ": the export has no table NVTX_EVENTS, so no step can be found: record with `nsys profile --trace=nvtx,cuda`");
    auto strings = file_.rows("StringIds", {"id", "value"});
    while (strings.next()) strings_.emplace(strings.integer(0).value_or(-1), strings.text(1).value_or(""));
  }

  std::vector<Trace> read() {
    read_domains();
    read_ranges();
    read_calls();
    read_kernels();
    read_copies("CUPTI_ACTIVITY_KIND_MEMCPY", "memcpy");
    read_copies("CUPTI_ACTIVITY_KIND_MEMSET", "memset");
    std::vector<Trace> traces;
    for (auto& [process, trace] : traces_) {
      if (trace.events.empty() || (!ours_.empty() && !has_phases(trace))) continue;
      if (!trace.rank && traces_.size() == 1) trace.rank = facts_.rank;
      if (trace.launch.empty() && !ours_.empty()) trace.launch = facts_.launch;
      sort_events(trace);
      traces.push_back(std::move(trace));
    }
    if (traces.empty()) throw UsageError(path_ + ": the trace is empty: it holds neither a range of NVTX nor a kernel");
    return traces;
  }

 private:
  // Of the processes in a report of ours the ranks.
  static bool has_phases(const Trace& trace) {
    for (const auto& event : trace.events) {
      if (event.kind == EventKind::kBlock || event.kind == EventKind::kPhase) return true;
    }
    return false;
  }

  std::string_view string(std::optional<std::int64_t> id) const {
    const auto found = id ? strings_.find(*id) : strings_.end();
    return found == strings_.end() ? std::string_view() : std::string_view(found->second);
  }

  // A column of text, and behind it that of a registered string's number. Old exports have "" for what is not there.
  std::string_view text_of(const SqliteFile::Rows& rows, int place) const {
    const auto text = rows.text(place).value_or("");
    return text.empty() ? string(rows.integer(place + 1)) : text;
  }

  Trace& trace_of(std::int64_t global_thread) {
    auto& trace = traces_[global_thread >> kThreadBits];
    trace.file = path_;
    return trace;
  }

  void read_domains() {
    auto rows = file_.rows("NVTX_EVENTS", {"eventType", "domainId", "text", "textId", "globalTid"});
    while (rows.next()) {
      if (rows.integer(0) != kDomainEvent || text_of(rows, 2) != "ddpbench") continue;
      ours_.insert({rows.integer(4).value_or(0) >> kThreadBits, rows.integer(1).value_or(0)});
    }
  }

  void read_ranges() {
    auto rows = file_.rows("NVTX_EVENTS",
                           {"start", "end", "eventType", "globalTid", "domainId", "text", "textId", "uint64Value", "int64Value"});
    while (rows.next()) {
      const auto type = rows.integer(2).value_or(0), thread = rows.integer(3).value_or(0);
      const auto text = text_of(rows, 5);
      const bool is_ours = ours_.contains({thread >> kThreadBits, rows.integer(4).value_or(0)});
      if (type == kMarkEvent && is_ours) read_mark(trace_of(thread), text);
      const auto begin = rows.integer(0), end = rows.integer(1);
      if ((type != kPushPopRange && type != kStartEndRange) || !begin || !end || *end < *begin || *begin < 0) continue;
      auto& trace = trace_of(thread);
      Event event{.begin = *begin, .end = *end};
      event.thread = trace.threads.id(std::to_string(thread));
      if (is_ours) {
        event.name = trace.names.id(text);
        set_own_kind(event, text, rows.integer(7) ? rows.integer(7) : rows.integer(8));
      } else {
        const auto name = until(text, ", ");
        event.kind = is_operation(name) ? EventKind::kOperation : kind_of_range(name);
        event.name = trace.names.id(name);
      }
      trace.events.push_back(event);
    }
  }

  // The payload of a step is its block, and in the lower half the step, 0 for a discarded one; a block's is its number. Ranges of
  // releases without steps have no payload.
  static void set_own_kind(Event& event, std::string_view text, std::optional<std::int64_t> payload) {
    constexpr std::int64_t kLowerHalf = 0xffff'ffff;
    if (const auto phase = phase_place(text)) {
      event.kind = EventKind::kPhase;
      event.value = *phase;
    } else if (payload && text == "step") {
      const auto step = *payload & kLowerHalf;
      event.kind = EventKind::kStep;
      event.value = step == 0 ? -1 : step;
    } else if (payload && text != "measure") {
      event.kind = EventKind::kBlock;
      event.value = *payload;
    }
  }

  void read_calls() {
    constexpr auto kTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
    if (!file_.has_table(kTable)) return;
    auto rows = file_.rows(kTable, {"start", "end", "globalTid", "correlationId", "nameId"});
    while (rows.next())
      add(rows, rows.integer(2).value_or(0), EventKind::kCall, string(rows.integer(4)), rows.integer(3).value_or(0));
  }

  void read_kernels() {
    constexpr auto kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
    if (!file_.has_table(kTable)) return;
    auto rows = file_.rows(kTable, {"start", "end", "globalPid", "correlationId", "shortName", "demangledName"});
    while (rows.next()) {
      auto name = string(rows.integer(4));
      if (name.empty()) name = string(rows.integer(5));
      const auto kind = is_collective_kernel(name) ? EventKind::kCollectiveKernel : EventKind::kKernel;
      add(rows, rows.integer(2).value_or(0), kind, name, rows.integer(3).value_or(0));
    }
  }

  void read_copies(const std::string& table, std::string_view name) {
    if (!file_.has_table(table)) return;
    auto rows = file_.rows(table, {"start", "end", "globalPid", "correlationId"});
    while (rows.next()) add(rows, rows.integer(2).value_or(0), EventKind::kCopy, name, rows.integer(3).value_or(0));
  }

  // `owner`: the thread, or the process of what ran on a device.
  void add(const SqliteFile::Rows& rows, std::int64_t owner, EventKind kind, std::string_view name, std::int64_t correlation) {
    const auto begin = rows.integer(0), end = rows.integer(1);
    if (!begin || !end || *end < *begin || *begin < 0) return;
    auto& trace = trace_of(owner);
    Event event{.begin = *begin, .end = *end};
    event.kind = kind;
    event.name = trace.names.id(name);
    event.thread = trace.threads.id(std::to_string(owner));
    event.correlation = static_cast<std::uint32_t>(correlation);
    trace.events.push_back(event);
  }

  std::string path_;
  SqliteFile file_;
  FileFacts facts_;
  std::unordered_map<std::int64_t, std::string> strings_;
  std::set<std::pair<std::int64_t, std::int64_t>> ours_;  // process and number of each domain of ddpbench
  std::map<std::int64_t, Trace> traces_;
};

}  // namespace

std::vector<Trace> read_nsys(const std::string& path) { return NsysExport(path).read(); }

}  // namespace ddpbench
