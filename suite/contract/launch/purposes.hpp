#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

struct LaunchSpec;

// Names what a launch can be started for (LaunchSpec::purpose, on the command line of its ranks).
namespace purpose {
inline constexpr const char* kTime = "time";
inline constexpr const char* kMemory = "memory";
inline constexpr const char* kTraining = "training";
inline constexpr const char* kProfile = "profile";
inline constexpr const char* kCheck = "check";
inline constexpr const char* kNodes = "nodes";
inline constexpr const char* kCollectives = "collectives";
}  // namespace purpose

// Describes a purpose: a line of the table. What a rank does for it is in harness/purposes.
struct PurposeEntry {
  std::string_view name;
  std::string_view help;
  bool trains;               // its arms are the vocabulary's
  bool takes_cases = false;  // LaunchSpec::cases
  // Returns what is wrong with the launch's arms or cases; nullptr: any of them are legal.
  std::vector<std::string> (*mistakes_of)(const LaunchSpec& spec) = nullptr;
  // Not empty: what for an experiment starts such launches behind its timed ones, in the cells in which its key NAME_where holds.
  // Only their metrics are kept, as metrics of the timed launch.
  std::string_view extra_for{};
  bool takes_all_arms =
      false;  // such a launch is of all arms that can, behind each timed one; else of one, behind a cell's first

  std::string where_key() const { return std::string(name) + "_where"; }
};

// Returns the table of purposes.
std::span<const PurposeEntry> purposes();

// Returns those of the launches behind timed ones (PurposeEntry::extra_for).
std::vector<PurposeEntry> extra_purposes();

}  // namespace ddpbench
