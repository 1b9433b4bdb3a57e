#include "suite/traces/trace.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

void sort_events(Trace& trace) {
  std::stable_sort(trace.events.begin(), trace.events.end(),
                   [](const Event& a, const Event& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::stable_sort(trace.memory.begin(), trace.memory.end(),
                   [](const MemoryCount& a, const MemoryCount& b) { return a.time < b.time; });
}

EventKind kind_of_range(std::string_view name) {
  for (const std::string_view library : {"gloo:", "nccl:", "mpi:", "ucc:"}) {
    if (name.starts_with(library)) return EventKind::kCollective;
  }
  if (name.starts_with("enumerate(DataLoader)")) return EventKind::kLoading;
  return name.starts_with("ProfilerStep#") ? EventKind::kStep : EventKind::kRange;
}

bool is_collective_kernel(std::string_view name) { return name.starts_with("nccl") || name.starts_with("rccl"); }

std::optional<std::int64_t> phase_place(std::string_view name) {
  const auto* found = std::find(kPhaseRangeNames.begin(), kPhaseRangeNames.end(), name);
  if (found == kPhaseRangeNames.end()) return std::nullopt;
  const auto range = static_cast<PhaseRange>(found - kPhaseRangeNames.begin());
  return static_cast<std::int64_t>(index_of(phase_of(range)));
}

FileFacts file_facts(const std::string& path) {
  const std::filesystem::path file(path);
  const auto folder = file.parent_path().filename().string();
  const auto name = "." + file.filename().string();
  constexpr std::string_view kMark = ".rank";
  const auto mark = name.rfind(kMark);
  if (mark == std::string::npos) return {};
  const auto begin = mark + kMark.size();
  const auto rank = parse_number<int>(std::string_view(name).substr(begin, name.find('.', begin) - begin));
  if (!rank || *rank < 0) return {};
  return {mark == 0 ? folder : name.substr(1, mark - 1), rank};
}

std::string span_owner(const std::string& path) {
  auto name = std::string_view(path);
  for (const std::string_view ending : {".gz", ".pt.trace.json"}) {
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  }
  const auto dot = name.rfind('.');
  const bool is_span = name.size() < path.size() && dot != std::string_view::npos && dot + 1 < name.size() &&
                       name.find_first_not_of("0123456789", dot + 1) == std::string_view::npos;
  return is_span ? std::string(name.substr(0, dot)) : "";
}

}  // namespace ddpbench
