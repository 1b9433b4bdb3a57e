#include "suite/commands/report/report_folder.hpp"

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/report/draw_page.hpp"
#include "suite/contract/json_error_text.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/plan/joined_experiment.hpp"
#include "suite/store/environment_file.hpp"
#include "suite/store/joined_folders.hpp"
#include "suite/store/report_manifest.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

UsageError damaged_environment(const std::string& path, const nlohmann::json::exception& error) {
  return UsageError(path + "/" + folder_file::kEnvironment + " is not as ddpbench writes it (" + json_error_text(error) +
                    "): the folder is damaged");
}

// A file is written in far less: nobody works at such a draft any more, on this host or another.
constexpr std::chrono::hours kAgeOfDeadDrafts{1};
void require_no_results_in(const std::string& out) {
  std::error_code unknown;
  if (fs::exists(fs::path(out) / folder_file::kSteps, unknown)) {
    throw UsageError(out + " is a results folder itself: choose another --out");
  }
}

// A page elsewhere is drawn from the small files beside it: it can be drawn again without the samples.
void copy_small_files(const std::string& results, const std::string& out) {
  for (const auto* name : {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns}) {
    replace_file((fs::path(out) / name).string(), read_file((fs::path(results) / name).string()));
  }
}

void write_joined_files(const JoinedFolders& study, const std::string& out) {
  const auto file = [&](const char* name) { return (fs::path(out) / name).string(); };
  replace_file(file(folder_file::kExperiment), study.experiment_toml());
  replace_file(file(folder_file::kEnvironment), environment_text(study.environment()));
  replace_file(file(folder_file::kPlan), csv_text(study.plan()));
  replace_file(file(folder_file::kRuns), csv_text(study.runs()));
}

void prepare(const ReportRequest& request, const JoinedFolders& study) {
  std::error_code failed;
  fs::create_directories(request.out, failed);
  if (failed) throw CannotRun("cannot make the folder " + request.out + ": " + failed.message());
  const bool is_one = request.results.size() == 1;
  if (is_one && fs::equivalent(request.results.front(), request.out, failed)) return;
  require_no_results_in(request.out);
  if (is_one) return copy_small_files(request.results.front(), request.out);
  write_joined_files(study, request.out);
}

FolderChecks checks_of(const std::vector<std::string>& paths) {
  FolderChecks checks;
  for (const auto& path : paths) checks.push_back(std::make_unique<FolderCheck>(path, FolderCheck::Scope::kMeasured));
  return checks;
}

AnalysisResult write_tables(const ReportRequest& request) {
  try {
    const auto checks = request.is_own_run ? FolderChecks() : checks_of(request.results);
    const auto study = open_study(request.results);  // what was committed since is no fault: the checks do not know it
    prepare(request, study);
    remove_all_drafts(request.out, kAgeOfDeadDrafts);
    remove_report_manifest(request.out);
    return analyse(study, request.out, checks, request.request);
  } catch (const nlohmann::json::exception& error) {
    throw damaged_environment(join(request.results, ", "), error);
  }
}

// The tables are there by now: nothing that hinders the drawing may say otherwise.
void draw(const ReportRequest& request, FolderReport& report) {
  const auto out = fs::absolute(request.out).string();
  auto drawn =
      draw_page(request.installation, {"--program", request.installation.program.string(), "--results", out, "--out", out},
                (fs::path(request.out) / "report.html").string());
  report.page = std::move(drawn.page);
  report.why_no_page = std::move(drawn.why_not);
}

}  // namespace

ResultsFolder open_results(const std::string& path) {
  try {
    return ResultsFolder::open(path);
  } catch (const nlohmann::json::exception& error) {
    throw damaged_environment(path, error);
  }
}

JoinedFolders open_study(const std::vector<std::string>& paths) {
  std::vector<ResultsFolder> folders;
  std::vector<ExperimentText> experiments;
  for (const auto& path : paths) {
    folders.push_back(open_results(path));
    experiments.push_back({path, folders.back().experiment_toml()});
  }
  return {std::move(folders), joined_experiment(experiments)};
}

FolderReport report_own_run(const Installation& installation, const std::string& folder, bool tables_only) {
  try {
    auto report = report_folder({installation, {folder}, folder, tables_only, {}, true});
    if (tables_only) report.how_to_draw = "ddpbench report " + shell_quoted(folder);
    return report;
  } catch (const std::exception& error) {
    FolderReport none;
    none.why_no_tables = failure_text(error);
    return none;
  }
}

FolderReport report_folder(const ReportRequest& request) {
  FolderReport report;
  report.analysis = write_tables(request);
  if (!request.tables_only) draw(request, report);
  write_report_manifest(request.out);
  return report;
}

}  // namespace ddpbench
