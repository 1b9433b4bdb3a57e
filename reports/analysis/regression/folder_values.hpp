#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/analysis/regression/launch_values.hpp"
#include "suite/store/joined_folders.hpp"

namespace ddpbench {

// Holds what a comparison needs of one side's results, without their samples.
struct FolderValues {
  std::vector<LaunchValues> values, counts;  // launch_values, launch_counts
  Clock primary_clock = Clock::kThreadCpu;
  double confidence = kDefaultConfidence;
  std::map<std::string, std::set<std::string>> facts;  // of its launches: names and texts; measured numbers are left out
  std::vector<std::string> damage;                     // what is wrong with the folders, a sentence each
  std::string started_utc;
  std::vector<std::string> profiled;  // which launches ran under a profiler, a sentence each: they have no values
};

// Reads them. Throws UsageError for what cannot be read.
FolderValues folder_values(const JoinedFolders& folders);

// Says what is not the same for the launches of the two: "torch: 2.10.0 | 2.11.0", a line each. Leaves out a fact that one side
// does not have.
std::vector<std::string> differing_facts(const FolderValues& base, const FolderValues& fresh);

}  // namespace ddpbench
