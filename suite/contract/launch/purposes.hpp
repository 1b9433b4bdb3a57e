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
  // Not empty: what for an experiment starts each arm alone, once for each cell in which the experiment's key NAME_where holds. Of
  // such a launch only the metrics are kept.
  std::string_view alone_for{};

  std::string where_key() const { return std::string(name) + "_where"; }
};

// Returns the table of purposes.
std::span<const PurposeEntry> purposes();

// Returns those for which an experiment starts arms alone (PurposeEntry::alone_for).
std::vector<PurposeEntry> purposes_of_arms_alone();

}  // namespace ddpbench
