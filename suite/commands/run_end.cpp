#include "suite/commands/run_end.hpp"

#include <algorithm>
#include <set>

#include "reports/analysis/answer/summary.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {

void print_report(const FolderReport& report, std::ostream& out) {
  const auto& analysis = report.analysis;
  for (const auto& sentence : analysis.damage) out << "damaged: " << sentence << '\n';
  if (!report.why_no_tables.empty()) out << "tables could not be written: " << report.why_no_tables << '\n';
  out << analysis.overhead_text << fom_lines(analysis.foms);
  if (!report.why_no_page.empty()) out << "the tables are written, report.html is not: " << report.why_no_page << '\n';
  if (!report.page.empty()) out << "report: " << report.page << '\n';
  for (const auto& arm : analysis.over_budget) out << "over budget: " << arm << '\n';
  if (!analysis.answer.empty()) out << analysis.answer << '\n';
  out << std::flush;
}

void print_unwell_launches(const ResultsFolder& folder, std::ostream& out) {
  std::set<std::string> told, ran;
  for (const auto& run : folder.runs()) {
    ran.insert(run.launch_id);
    const auto line = "launch " + run.launch_id + " " + run.status + ": " + run.reason;
    if (run.status != status::kOk && told.insert(line).second) out << line << '\n';
  }
  const auto plan = folder.plan();
  const auto never_ran =
      std::count_if(plan.begin(), plan.end(), [&](const PlanRow& launch) { return ran.count(launch.launch_id) == 0; });
  if (never_ran > 0) out << never_ran << " of " << plan.size() << " launches never ran\n";
}

ExitCode exit_code_of(const SweepCounts& counts, const FolderReport& report, bool require_verdict) {
  const bool went_wrong = counts.failed + counts.wrong > 0 || !counts.lost.empty();
  const bool was_reported = report.why_no_tables.empty() && report.why_no_page.empty();
  if (counts.stopped || counts.partial > 0) return ExitCode::kStopped;
  if (went_wrong) return ExitCode::kDoneWithFailures;
  if (counts.ok == 0) return ExitCode::kNothingRunsHere;
  if (!was_reported || !report.analysis.over_budget.empty()) return ExitCode::kDoneWithFailures;
  const bool has_verdicts = report.analysis.without_verdict.empty() && !report.analysis.overhead.empty();
  return require_verdict && !has_verdicts ? ExitCode::kNoVerdict : ExitCode::kDone;
}

}  // namespace ddpbench
