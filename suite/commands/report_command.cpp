#include <filesystem>
#include <iostream>
#include <memory>

#include "suite/commands/commands.hpp"
#include "suite/commands/run_end.hpp"
#include "suite/contract/exit_code.hpp"

namespace ddpbench {
namespace {

struct ReportArguments {
  std::vector<std::string> folders;
  std::string out;
  bool tables_only = false;
};

std::string out_of(const ReportArguments& arguments, const std::string& folder) {
  if (arguments.out.empty()) return folder;
  if (arguments.folders.size() == 1) return arguments.out;
  const auto name = std::filesystem::absolute(folder + "/").lexically_normal().parent_path().filename();
  return (std::filesystem::path(arguments.out) / name).string();
}

// Pages are drawn where they can be; what hinders one is an error only once all have been tried.
ExitCode report_all(const ReportArguments& arguments) {
  const auto installation = find_installation();
  std::string why_no_page;
  bool all_well = true;
  for (const auto& folder : arguments.folders) {
    const auto out = out_of(arguments, folder);
    const auto report = report_folder({installation, folder, out, arguments.tables_only});
    print_unwell_launches(ResultsFolder::open(folder), std::cout);
    print_report(report, std::cout);
    all_well =
        all_well && report.analysis.damage.empty() && report.analysis.report_needs.empty() && report.analysis.over_budget.empty();
    if (!report.why_no_page.empty()) why_no_page = "the tables are in " + out + ", the page is not: " + report.why_no_page;
  }
  if (!why_no_page.empty()) throw CannotRun(why_no_page);
  return all_well ? ExitCode::kDone : ExitCode::kDoneWithFailures;
}

}  // namespace

CommandAction declare_report(CLI::App& app) {
  const auto arguments = std::make_shared<ReportArguments>();
  app.add_option("DIR", arguments->folders, "results folders; each gets a report of its own")->required();
  app.add_option("--out", arguments->out, "where to write (default: into DIR; below it, by name, for several)");
  app.add_flag("--tables-only", arguments->tables_only, "overhead.csv and tables/ only: no plots, no page, no Python");
  return [arguments] { return report_all(*arguments); };
}

}  // namespace ddpbench
