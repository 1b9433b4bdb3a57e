#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

struct LaunchSpec;

// Describes a profiler under which a launch of purpose `profile` can run.
struct ProfilerEntry {
  std::string_view name;
  std::string_view help;
  std::string_view suffix;   // of what a rank leaves in the part folder: ".json"
  std::string_view stored;   // of what the results folder keeps: ".pt.trace.json.gz", by which TensorBoard's plugin knows a trace
  std::string_view open_by;  // how a person opens that
};

// Names them.
namespace profiler {
inline constexpr const char* kKineto = "kineto";
inline constexpr const char* kNsys = "nsys";
}  // namespace profiler

// Returns the table of profilers.
std::span<const ProfilerEntry> profilers();

// Bounds the steps of an arm in a profile: a trace holds about a thousand events of each.
inline constexpr std::int64_t kMostProfiledSteps = 1'000;

// Holds the steps of each arm that a profile shows: both ends, from 1. Those before `first` warm the arm up.
struct ProfiledSteps {
  std::int64_t first, last;
  std::int64_t count() const { return last - first + 1; }
};

// Parses "11..20". Throws UsageError that says what is legal.
ProfiledSteps parse_profiled_steps(const std::string& text);

// Holds what torch.profiler.schedule takes: cycles of `wait` steps that are not recorded, `warmup` steps for which the profiler is
// prepared, and `active` recorded ones.
struct ProfileSchedule {
  std::int64_t wait, warmup, active, repeat;
};

// Parses "1/1/3/2" in this order. Throws UsageError that says what is legal.
ProfileSchedule parse_profile_schedule(const std::string& text);

// Says what one trace of a rank shows. By a schedule: of one arm one cycle, its `span`, from 1; else span is 0.
struct ProfiledWindow {
  std::vector<std::string> arms;
  std::int64_t span;
  ProfiledSteps steps;
};

// Returns what each rank that records leaves, in the order in which it does: by a schedule a trace for each arm and cycle, one arm
// behind the other, else one trace. `spec`: without profile_mistakes.
std::vector<ProfiledWindow> profiled_windows(const LaunchSpec& spec);

// Returns the suffix of a window's trace in the part folder: the profiler's, by a schedule ".3.json" of the third window. `place`:
// in profiled_windows.
std::string trace_suffix(const LaunchSpec& spec, std::size_t place);

// Returns whether the launch is a profile in which this rank records.
bool is_profiled(const LaunchSpec& spec, std::int64_t rank);

// Says what is wrong with the fields of a launch of purpose `profile`.
std::vector<std::string> profile_mistakes(const LaunchSpec& spec);

}  // namespace ddpbench
