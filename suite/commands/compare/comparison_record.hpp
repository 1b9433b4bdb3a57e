#pragma once
#include <string>

namespace ddpbench {

// What the folder of `compare --base BUILD --new BUILD` says of itself (compare.json): what its sides are, and how they are to be judged.
struct ComparisonRecord {
  std::string base, fresh;  // as the user named them
  bool again = true;        // base was measured a second time
  double threshold_percent = 0;
  bool costs_only = false;

  bool operator==(const ComparisonRecord&) const = default;
};

inline constexpr const char* kComparisonRecord = "compare.json";

void write_comparison_record(const std::string& folder, const ComparisonRecord& record);

// Whether the folder has one.
bool has_comparison_record(const std::string& folder);

// Throws UsageError where it cannot be read, or is damaged.
ComparisonRecord read_comparison_record(const std::string& folder);

}  // namespace ddpbench
