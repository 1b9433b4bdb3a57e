#pragma once
#include <string>

namespace ddpbench {

// Holds what the folder of `compare --base BUILD --new BUILD` says of itself (compare.json): what its sides are, and how they are
// to be judged.
struct ComparisonRecord {
  std::string base, fresh;  // as the user named them
  bool again = true;        // base was measured a second time
  double threshold_percent = 0;
  bool costs_only = false;

  bool operator==(const ComparisonRecord&) const = default;
};

inline constexpr const char* kComparisonRecord = "compare.json";  // its file, in the folder

// Writes the record whole, by rename. Throws Error with the system's reason.
void write_comparison_record(const std::string& folder, const ComparisonRecord& record);

// Returns whether the folder has one.
bool has_comparison_record(const std::string& folder);

// Reads the record. Throws Error where it cannot be read, UsageError where it is damaged.
ComparisonRecord read_comparison_record(const std::string& folder);

}  // namespace ddpbench
