#include "suite/commands/report_folder.hpp"

#include <filesystem>
#include <iostream>

#include "suite/base/errors.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/python_module.hpp"
#include "suite/store/report_manifest.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr double kDrawTimeoutSeconds = 1800;
// The exit codes of `python -m reports.html` that leave a page behind: all is drawn, or nothing could be but the page says why.
constexpr int kPageWritten = 0, kPageOfNothing = 1;
constexpr const char* kSpeaker = "report: ";

void require_no_results_in(const std::string& out) {
  if (fs::exists(fs::path(out) / folder_file::kSteps)) {
    throw UsageError(out + " is a results folder itself: choose another --out");
  }
}

// A page elsewhere is drawn from the small files beside it: it can be drawn again without the samples.
void copy_small_files(const std::string& results, const std::string& out) {
  for (const auto* name : {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns}) {
    fs::copy_file(fs::path(results) / name, fs::path(out) / name, fs::copy_options::overwrite_existing);
  }
}

// What verify finds, less what is no fault.
std::vector<std::string> damage_of(const std::string& results) {
  auto problems = verify_samples(results);
  std::erase_if(problems, [](const std::string& problem) { return problem.starts_with("note: "); });
  return problems;
}

AnalysisResult write_tables(const ReportRequest& request) {
  const auto folder = ResultsFolder::open(request.results);
  std::error_code failed;
  fs::create_directories(request.out, failed);
  if (failed) throw CannotRun("cannot make the folder " + request.out + ": " + failed.message());
  const bool elsewhere = !fs::equivalent(request.results, request.out);
  if (elsewhere) {
    require_no_results_in(request.out);
    copy_small_files(request.results, request.out);
  }
  remove_report_manifest(request.out);
  return analyse(std::span(&folder, 1), request.out,
                 request.is_own_run ? std::vector<std::string>{} : damage_of(request.results));
}

std::string last_words(const CapturedRun& run) {
  if (run.signal != 0) return "Python died by signal " + std::to_string(run.signal);
  const auto end = run.err.find_last_not_of('\n');
  if (end == std::string::npos) return "Python ended with exit code " + std::to_string(run.exit_code);
  const auto before = run.err.find_last_of('\n', end);
  return run.err.substr(before == std::string::npos ? 0 : before + 1, end - before);
}

std::string why_not_drawn(const CapturedRun& run, const fs::path& python) {
  auto why = last_words(run);
  const bool lacks_module = why.find("ModuleNotFoundError") != std::string::npos;
  if (lacks_module) why += "; install matplotlib and jinja2 for " + python.string() + ", or run ./bootstrap.sh build";
  return why;
}

void draw(const ReportRequest& request, FolderReport& report) {
  const auto tell = [](std::string_view line) {
    if (line.rfind(kSpeaker, 0) == 0) std::cerr << line << std::endl;
  };
  try {
    const auto python = request.installation.python();
    const auto child = python_module(request.installation, "reports.html", {"--results", request.out, "--out", request.out});
    const auto run = run_captured(child, kDrawTimeoutSeconds, tell);
    report.page = request.out + "/report.html";
    const bool of_nothing = run.exit_code == kPageOfNothing && last_words(run).rfind(kSpeaker, 0) == 0;
    const bool written = run.signal == 0 && (run.exit_code == kPageWritten || of_nothing);
    if (!written) report.why_no_page = why_not_drawn(run, python);
  } catch (const std::exception& error) {  // the tables are written by now
    report.why_no_page = error.what();
  }
}

}  // namespace

FolderReport report_folder(const ReportRequest& request) {
  FolderReport report;
  report.analysis = write_tables(request);
  if (!request.tables_only) draw(request, report);
  if (!report.why_no_page.empty()) report.page.clear();
  write_report_manifest(request.out);
  return report;
}

}  // namespace ddpbench
