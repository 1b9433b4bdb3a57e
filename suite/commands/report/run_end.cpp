#include "suite/commands/report/run_end.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "reports/analysis/answer/summary.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/progress.hpp"

namespace ddpbench {
namespace {

bool is_one_place(int one, int other) {
  struct stat first {};
  struct stat second {};
  return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

// "launch A", "3 launches (A, B, C)"
std::string launch_phrase(const std::vector<std::string>& launches) {
  if (launches.size() == 1) return "launch " + launches.front();
  return std::to_string(launches.size()) + " launches (" + join(launches, ", ") + ")";
}

}  // namespace

ReportView view_of(int fd) {
  const auto screen = ProgressDisplay::screen_of(fd);
  if (!screen.is_terminal) return {};
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_plain =
      (no_colour != nullptr && *no_colour != '\0') || (terminal != nullptr && std::string_view(terminal) == "dumb");
  return {{screen.columns, !is_plain}, true, false};
}

void print_report(const FolderReport& report, std::ostream& out, const ReportView& view) {
  const auto& analysis = report.analysis;
  for (const auto& sentence : analysis.damage) out << "damaged: " << sentence << '\n';
  if (!report.why_no_tables.empty()) out << "tables could not be written: " << report.why_no_tables << '\n';
  out << std::flush;
  for (const auto& line : analysis.banner) out << line << '\n';
  if (!analysis.banner.empty()) out << '\n' << std::flush;
  std::ostream(CleanOutput::beneath(out)) << table_text(analysis.table, view.screen, view.with_reasons) << std::flush;
  if (!analysis.arms.empty()) out << "arms: " << analysis.arms << '\n';
  if (!analysis.controls.empty()) out << "controls: " << analysis.controls << '\n';
  for (const auto& arm : analysis.over_budget) out << "over budget: " << arm << '\n';
  if (!analysis.table.rows.empty()) out << '\n';
  for (const auto& sentence : analysis.answer) out << sentence << '\n';
  for (const auto& sentence : analysis.trainings) out << sentence << '\n';
  for (const auto& sentence : analysis.where) out << sentence << '\n';
  for (const auto& sentence : analysis.sizes) out << sentence << '\n';
  for (const auto& bad : analysis.bad_nodes) out << bad.reason << ".\n";
  if (!analysis.how_sure.empty()) out << "How sure: " << join(analysis.how_sure, "\n") << '\n';
  if (analysis.asks_features)
    out << "What next? `ddpbench run claim` (about 20 minutes) tells which feature costs how much, and what to switch off.\n";
  if (!report.why_no_page.empty())
    out << "the tables are written; report.html could not be written: " << report.why_no_page << '\n';
  if (!report.page.empty()) out << "report: " << report.page << '\n';
  if (!report.how_to_draw.empty()) out << "to draw the report: " << report.how_to_draw << '\n';
  if (!view.is_terminal) out << fom_lines(analysis.foms);
  out << std::flush;
}

void print_unwell_launches(const ResultsFolder& folder, std::ostream& out, const std::set<std::string>& told) {
  const auto leaves_out = is_one_place(STDOUT_FILENO, STDERR_FILENO) ? told : std::set<std::string>();
  std::set<std::string> ran;
  std::vector<std::pair<std::string, std::vector<std::string>>> ends;  // "failed: reason", and the launches that ended so
  for (const auto& run : folder.runs()) {
    ran.insert(run.launch_id);
    const auto words = status_text(run.status, run.reason);
    if (run.status == status::kOk || leaves_out.contains(run.launch_id + " " + words)) continue;
    auto end = std::find_if(ends.begin(), ends.end(), [&](const auto& one) { return one.first == words; });
    if (end == ends.end()) end = ends.insert(end, {words, {}});
    if (end->second.empty() || end->second.back() != run.launch_id) end->second.push_back(run.launch_id);
  }
  for (const auto& [words, launches] : ends) out << launch_phrase(launches) << ' ' << words << '\n';
  const auto plan = folder.plan();
  const auto never_ran =
      std::count_if(plan.begin(), plan.end(), [&](const PlanRow& launch) { return ran.count(launch.launch_id) == 0; });
  if (never_ran > 0) out << never_ran << " of " << plan.size() << " launches never ran\n";
}

bool is_to_be_continued(const SweepCounts& counts) { return counts.stopped || counts.partial > 0; }

bool is_well(const SweepCounts& counts) {
  return !is_to_be_continued(counts) && counts.failed + counts.wrong == 0 && counts.lost.empty() && counts.ok > 0;
}

ExitCode exit_code_of(const SweepCounts& counts, const FolderReport& report, bool require_verdict) {
  const bool went_wrong = counts.failed + counts.wrong > 0 || !counts.lost.empty();
  const bool was_reported = report.why_no_tables.empty() && report.why_no_page.empty();
  if (is_to_be_continued(counts)) return ExitCode::kStopped;
  if (went_wrong) return ExitCode::kDoneWithFailures;
  if (counts.ok == 0) return ExitCode::kNothingRunsHere;
  if (!was_reported || !report.analysis.over_budget.empty()) return ExitCode::kDoneWithFailures;
  const bool has_verdicts = report.analysis.without_verdict.empty() && !report.analysis.overhead.empty();
  return require_verdict && !has_verdicts ? ExitCode::kNoVerdict : ExitCode::kDone;
}

}  // namespace ddpbench
