#pragma once
#include <string>
#include <vector>

#include "reports/analysis/regression/build_comparison.hpp"
#include "reports/analysis/regression/comparison_phrases.hpp"
#include "reports/analysis/regression/instruction_changes.hpp"
#include "suite/commands/compare/compare_arguments.hpp"
#include "suite/commands/compare/comparison_record.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Says where the two sides' results lie.
struct ComparedFolders {
  SideNames names;
  std::string base, fresh, again;  // again: "" where base was measured once
  ComparisonRecord record;
  bool in_turn = false;
};

// Returns those of a comparison that was measured into `out`.
ComparedFolders folders_of(const std::string& out, const ComparisonRecord& record);

// Holds what the comparison found.
struct Compared {
  BuildComparison comparison;
  std::vector<InstructionChange> instructions;
  std::vector<std::string> damage, differing;  // a line each
  std::vector<std::string> left_out;           // of which side launches count for nothing, and why
};

// Compares the sides. Throws UsageError for what cannot be read, and where two folders have no cell in common.
Compared compare_folders(const ComparedFolders& folders);

// Compares them, tells it on the standard output, and writes the formats that were asked for; `out`: where the comparison's own
// files and its page go, "": nowhere. A page that cannot be drawn is told, and changes no exit code.
ExitCode judge_comparison(const CompareArguments& arguments, const ComparedFolders& folders, const std::string& out);

}  // namespace ddpbench
