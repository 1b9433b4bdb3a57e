#include "suite/contract/launch/profile.hpp"

#include <algorithm>
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
                  ".json", ".pt.trace.json.gz", "ui.perfetto.dev, chrome://tracing or TensorBoard"},
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

void note_schedule(const LaunchSpec& spec, std::vector<std::string>& mistakes) {
  if (spec.profile_schedule.empty()) return;
  try {
    parse_profile_schedule(spec.profile_schedule);
  } catch (const UsageError& error) {
    mistakes.emplace_back(error.what());
  }
  if (spec.profiler == profiler::kNsys)
    mistakes.emplace_back("profile_schedule is for profiler kineto: a report of nsys is one window");
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

ProfileSchedule parse_profile_schedule(const std::string& text) {
  std::vector<std::int64_t> parts;
  for (const auto& part : split(text, '/')) parts.push_back(parse_number<std::int64_t>(part).value_or(-1));
  const auto is_within = [](std::int64_t part) { return part >= 0 && part <= kMostProfiledSteps; };
  if (parts.size() == 4 && std::all_of(parts.begin(), parts.end(), is_within)) {
    const ProfileSchedule schedule{parts[0], parts[1], parts[2], parts[3]};
    const auto steps = (schedule.wait + schedule.warmup + schedule.active) * schedule.repeat;
    if (schedule.active >= 1 && schedule.repeat >= 1 && steps <= kMostProfiledSteps) return schedule;
  }
  throw UsageError("--schedule (profile_schedule) '" + text +
                   "': must be WAIT/WARMUP/ACTIVE/REPEAT, as in 1/1/3/2: ACTIVE and REPEAT at least 1, and " +
                   std::to_string(kMostProfiledSteps) + " steps at most in all cycles together");
}

std::vector<ProfiledWindow> profiled_windows(const LaunchSpec& spec) {
  if (spec.profile_schedule.empty()) return {{spec.arms, 0, parse_profiled_steps(spec.profile_steps)}};
  const auto schedule = parse_profile_schedule(spec.profile_schedule);
  const auto before = schedule.wait + schedule.warmup;
  std::vector<ProfiledWindow> windows;
  for (const auto& arm : spec.arms) {
    for (std::int64_t span = 1; span <= schedule.repeat; ++span) {
      const auto last = span * (before + schedule.active);
      windows.push_back({{arm}, span, {last - schedule.active + 1, last}});
    }
  }
  return windows;
}

std::string trace_suffix(const LaunchSpec& spec, std::size_t place) {
  const std::string suffix(find_entry(profilers(), "profiler", spec.profiler).suffix);
  return spec.profile_schedule.empty() ? suffix : "." + std::to_string(place + 1) + suffix;
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
  note_schedule(spec, mistakes);
  note_ranks(spec, mistakes);
  note_recorded(spec, mistakes);
  return mistakes;
}

}  // namespace ddpbench
