#include <unistd.h>

#include <iostream>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/commands/clock_text.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/report/run_end.hpp"
#include "suite/commands/report/studies.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

struct ReportArguments {
  std::vector<std::string> folders;
  std::string out, deadline, price_unit = "units";
  double price = 0;
  bool tables_only = false, reasons = false;
};

bool all_is_well(const FolderReport& report) {
  return report.analysis.damage.empty() && report.analysis.report_needs.empty() && report.analysis.over_budget.empty();
}

// What is given counts more than what the site's file said.
TrainingCostRequest request_of(const ReportArguments& arguments, const StudyFolders& study) {
  TrainingCostRequest request;
  if (!arguments.deadline.empty())
    request.deadline_hours = static_cast<double>(minutes_in(arguments.deadline, "--deadline")) / 60;
  const bool is_given = arguments.price > 0;
  request.price_per_gpu_hour = is_given ? arguments.price : study.price_per_gpu_hour;
  request.price_unit = is_given ? arguments.price_unit : study.price_unit;
  return request;
}

// Pages are drawn where they can be; what hinders one is an error only once all have been tried.
ExitCode report_all(const ReportArguments& arguments) {
  const auto installation = find_installation();
  std::string why_no_page;
  bool all_well = true;
  for (const auto& study : studies_of(arguments.folders, arguments.out)) {
    if (!study.told.empty()) std::cout << study.told << std::endl;
    const auto report =
        report_folder({installation, study.folders, study.out, arguments.tables_only, request_of(arguments, study)});
    for (const auto& folder : study.folders) print_unwell_launches(open_results(folder), std::cout);
    auto view = view_of(STDOUT_FILENO);
    view.with_reasons = arguments.reasons;
    print_report(report, std::cout, view);
    all_well = all_well && all_is_well(report);
    if (!report.why_no_page.empty()) why_no_page = "the tables are in " + study.out + ", the page is not: " + report.why_no_page;
  }
  if (!why_no_page.empty()) throw CannotRun(why_no_page);
  return all_well ? ExitCode::kDone : ExitCode::kDoneWithFailures;
}

CommandAction declare_report(CLI::App& app) {
  const auto arguments = std::make_shared<ReportArguments>();
  app.add_option(
         "DIR", arguments->folders,
         "results folders, or one that `ddpbench submit` wrote; those of one experiment are one study, others get a report each")
      ->required();
  app.add_option("--out", arguments->out,
                 "folder for the report (default: DIR; of a study NAME-study beside its first DIR, of a submission DIR/report). "
                 "With several "
                 "reports: one folder in it for each, named as DIR; the names must differ");
  app.add_option("--deadline", arguments->deadline, "HOURS:MINUTES of a whole training: names the cheapest size that keeps it");
  app.add_option("--price", arguments->price, "of an hour of one GPU (default: what the site's file says, of a submission)")
      ->check(CLI::PositiveNumber);
  app.add_option("--price-unit", arguments->price_unit, "its unit: EUR, SU, …")->needs("--price")->capture_default_str();
  app.add_flag(kTablesOnlyOption, arguments->tables_only, kTablesOnlyHelp);
  app.add_flag("--reasons", arguments->reasons, "print the reason of every verdict");
  return [arguments] { return report_all(*arguments); };
}

}  // namespace

CommandEntry report_command() {
  return {"report",
          "Rebuilds tables, plots and report.html of results folders",
          "Checks the folder, recomputes everything from its samples, and draws the page. It needs neither LibTorch "
          "nor a GPU.",
          "ddpbench report results/first",
          "0 done; 1 the folder is damaged, a budget is exceeded, or no launch finished; 2 not a results folder; 3 no "
          "page can be drawn",
          declare_report};
}

}  // namespace ddpbench
