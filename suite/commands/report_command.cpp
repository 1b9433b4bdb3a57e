#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/run_end.hpp"
#include "suite/contract/exit_code.hpp"

namespace ddpbench {
namespace {

struct ReportArguments {
  std::vector<std::string> folders;
  std::string out;
  bool tables_only = false, reasons = false;
};

namespace fs = std::filesystem;

std::string out_of(const ReportArguments& arguments, const std::string& folder) {
  if (arguments.out.empty()) return folder;
  if (arguments.folders.size() == 1) return arguments.out;
  const auto name = fs::absolute(folder + "/").lexically_normal().parent_path().filename();
  return (fs::path(arguments.out) / name).string();
}

// Two folders of one name would go to one place, the second over the first. A name of our own making would not be found again.
void require_places_of_their_own(const ReportArguments& arguments) {
  if (arguments.out.empty()) return;
  std::map<fs::path, std::string> taken;
  std::vector<std::string> mistakes;
  for (const auto& folder : arguments.folders) {
    const auto out = out_of(arguments, folder);
    std::error_code unknown;
    const auto [other, is_free] = taken.try_emplace(fs::weakly_canonical(out, unknown), folder);
    if (is_free) continue;
    mistakes.push_back("the reports of " + other->second + " and " + folder + " would both go to " + out +
                       ": report them one by one, each with an --out of its own");
  }
  if (!mistakes.empty()) throw UsageError(mistakes);
}

bool all_is_well(const FolderReport& report) {
  return report.analysis.damage.empty() && report.analysis.report_needs.empty() && report.analysis.over_budget.empty();
}

// Pages are drawn where they can be; what hinders one is an error only once all have been tried.
ExitCode report_all(const ReportArguments& arguments) {
  require_places_of_their_own(arguments);
  const auto installation = find_installation();
  std::string why_no_page;
  bool all_well = true;
  for (const auto& folder : arguments.folders) {
    const auto out = out_of(arguments, folder);
    const auto report = report_folder({installation, folder, out, arguments.tables_only});
    print_unwell_launches(open_results(folder), std::cout);
    auto view = view_of(STDOUT_FILENO);
    view.with_reasons = arguments.reasons;
    print_report(report, std::cout, view);
    all_well = all_well && all_is_well(report);
    if (!report.why_no_page.empty()) why_no_page = "the tables are in " + out + ", the page is not: " + report.why_no_page;
  }
  if (!why_no_page.empty()) throw CannotRun(why_no_page);
  return all_well ? ExitCode::kDone : ExitCode::kDoneWithFailures;
}

}  // namespace

CommandAction declare_report(CLI::App& app) {
  const auto arguments = std::make_shared<ReportArguments>();
  app.add_option("DIR", arguments->folders, "results folders; each gets a report of its own")->required();
  app.add_option(
      "--out", arguments->out,
      "folder for the report (default: DIR). With several DIR: one folder in it for each, named as DIR; the names must differ");
  app.add_flag("--tables-only", arguments->tables_only, "overhead.csv and tables/ only: no plots, no page, no Python");
  app.add_flag("--reasons", arguments->reasons, "print the reason of every verdict");
  return [arguments] { return report_all(*arguments); };
}

}  // namespace ddpbench
