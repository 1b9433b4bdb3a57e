#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/regression/build_comparison.hpp"
#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// Holds one quantity of one cell in instructions of a step, new against base: a reference's step, or what an arm does beyond its
// reference. No exit code rests on it: instructions are no time. They show a change that no time could resolve.
struct InstructionChange {
  std::string cell_id, label, what, arm;
  double base = kNotMeasured, fresh = kNotMeasured;  // means over launches
  Estimate change;
  Estimate change_percent;                            // of reference_per_step
  double aa_lo = kNotMeasured, aa_hi = kNotMeasured;  // change of base measured again, else of the A/A arm
  double reference_per_step = kNotMeasured, margin = kNotMeasured;
  std::int64_t base_launches = 0, new_launches = 0;
  std::string verdict, reason;  // instruction_verdict; "": told only

  double percent(double of) const { return 100 * of / reference_per_step; }
};

// Compares what both have counted (launch_counts), by the estimates and the error rate of `rule`.
std::vector<InstructionChange> instruction_changes(const std::vector<LaunchValues>& base, const std::vector<LaunchValues>& fresh,
                                                   const std::vector<LaunchValues>& again, const ComparisonRule& rule);

// Returns "Counted in instructions, trainer's cost grew by 2.1 % of the step: between …", what grew first; nothing where nothing
// was counted.
std::vector<std::string> instruction_change_sentences(const std::vector<InstructionChange>& changes);

// Writes the same with its table, folded; "" where nothing was counted.
std::string instruction_change_markdown(const std::vector<InstructionChange>& changes);

// Names the file of all changes, which `ddpbench compare` writes.
inline constexpr const char* kInstructionChangesFile = "comparison_instructions.csv";
// Describes that file, and writes its text, a row for each change.
TableSchema instruction_changes_table();
std::string instruction_changes_csv(const std::vector<InstructionChange>& changes);

}  // namespace ddpbench
