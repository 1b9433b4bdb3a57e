#pragma once
#include <ostream>
#include <set>
#include <string>

#include "suite/commands/report/report_folder.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/runs/sweep.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Says how a report is shown.
struct ReportView {
  TextScreen screen;
  bool is_terminal = false;   // then figures of merit are left out: they are for programs that read a log
  bool with_reasons = false;  // of every verdict
};

// Returns the view of a descriptor: colour on a terminal only, and not where NO_COLOR is set (no-color.org) or TERM is dumb.
ReportView view_of(int fd);

// Prints a row per cell and subject, the controls, the answer and how sure it is, where the page is, and last FOM lines.
void print_report(const FolderReport& report, std::ostream& out, const ReportView& view);

// Prints what did not end well, a line for each reason with its launches, and how many launches never ran. `told`: launches whose
// reason was told as they ended; it is not told again where `out`, which is standard output, goes where that went, to standard
// error.
void print_unwell_launches(const ResultsFolder& folder, std::ostream& out, const std::set<std::string>& told = {});

// Returns whether the run was stopped before its end; --resume goes on.
bool is_to_be_continued(const SweepCounts& counts);

// Returns whether every launch that could run has ended well: more of them may be measured.
bool is_well(const SweepCounts& counts);

// Returns the exit code of `run` (docs/contract.md "Exit codes"). That it can be continued (75) counts before what went wrong
// (1), and that before a missing verdict (4).
ExitCode exit_code_of(const SweepCounts& counts, const FolderReport& report, bool require_verdict);

}  // namespace ddpbench
