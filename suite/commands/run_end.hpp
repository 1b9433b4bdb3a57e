#pragma once
#include <ostream>

#include "suite/commands/report_folder.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/runs/sweep.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Overhead table, FOM lines, where the page is, and last the answer.
void print_report(const FolderReport& report, std::ostream& out);

// What did not end well, a line per launch with its reason, and how many launches never ran.
void print_unwell_launches(const ResultsFolder& folder, std::ostream& out);

// The exit code of `run` (docs/contract.md "Exit codes"). That it can be continued (75) counts before what went wrong (1), and that
// before a missing verdict (4).
ExitCode exit_code_of(const SweepCounts& counts, const FolderReport& report, bool require_verdict);

}  // namespace ddpbench
