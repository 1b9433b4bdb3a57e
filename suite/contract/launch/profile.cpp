#include "suite/contract/launch/profile.hpp"

#include <array>
#include <optional>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

constexpr std::array kProfilers{
    ProfilerEntry{profiler::kKineto, "PyTorch's own: operations, kernels and collectives, as torch.profiler records them",
                  ".json", ".json.gz", "ui.perfetto.dev, or chrome://tracing"},
    ProfilerEntry{profiler::kNsys, "Nsight Systems: NVTX ranges, kernels, CUDA calls", ".nsys-rep", ".nsys-rep", "nsys-ui"},
};

// What the fields of a rank take beside its profiler.
constexpr std::array kRecorded{"shapes", "memory", "stacks"};

void note_ranks(const LaunchSpec& spec, std::vector<std::string>& mistakes) {
  for (const auto& text : spec.profile_ranks) {
    const auto rank = parse_number<std::int64_t>(text);
    if (rank && *rank >= 0 && *rank < spec.world_size()) continue;
    mistakes.push_back("profile_ranks = '" + text + "': must be a rank, from 0 to " + std::to_string(spec.world_size() - 1));
  }
}

void note_recorded(const LaunchSpec& spec, std::vector<std::string>& mistakes) {
  const std::vector<std::string> known(kRecorded.begin(), kRecorded.end());
  for (const auto& text : spec.profile_with) {
    if (!holds(known, text)) mistakes.push_back("profile_with = '" + text + "': must be one of " + join(known, ", "));
  }
  if (spec.profiler == profiler::kNsys && !spec.profile_with.empty())
    mistakes.emplace_back("profile_with is for profiler kineto: nsys takes options of its own");
}

}  // namespace

std::span<const ProfilerEntry> profilers() { return kProfilers; }

ProfiledSteps parse_profiled_steps(const std::string& text) {
  const auto dots = text.find("..");
  std::optional<std::int64_t> first, last;
  if (dots != std::string::npos) {
    first = parse_number<std::int64_t>(text.substr(0, dots));
    last = parse_number<std::int64_t>(text.substr(dots + 2));
  }
  const bool is_legal = first && last && *first >= 2 && *last >= *first && *last - *first < kMostProfiledSteps;
  if (is_legal) return {*first, *last};
  throw UsageError("profile_steps = '" + text +
                   "': must be FIRST..LAST, as in 11..20: FIRST at least 2, LAST not below it, and " +
                   std::to_string(kMostProfiledSteps) + " steps at most");
}

bool is_profiled(const LaunchSpec& spec, std::int64_t rank) {
  if (spec.profiler.empty()) return false;
  return spec.profile_ranks.empty() || holds(spec.profile_ranks, std::to_string(rank));
}

std::vector<std::string> profile_mistakes(const LaunchSpec& spec) {
  std::vector<std::string> mistakes;
  if (entry_or_null(profilers(), spec.profiler) == nullptr)
    mistakes.push_back("profiler = '" + spec.profiler + "': must be one of " + known_names(profilers()));
  try {
    parse_profiled_steps(spec.profile_steps);
  } catch (const UsageError& error) {
    mistakes.emplace_back(error.what());
  }
  note_ranks(spec, mistakes);
  note_recorded(spec, mistakes);
  return mistakes;
}

}  // namespace ddpbench
