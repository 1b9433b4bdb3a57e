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
  std::string_view stored;   // of what the results folder keeps: ".json.gz"
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

// Returns whether the launch is a profile in which this rank records.
bool is_profiled(const LaunchSpec& spec, std::int64_t rank);

// Says what is wrong with the fields of a launch of purpose `profile`.
std::vector<std::string> profile_mistakes(const LaunchSpec& spec);

}  // namespace ddpbench
