#pragma once
#include <string>
#include <vector>

#include "reports/analysis/analysis.hpp"
#include "suite/launch/installation.hpp"
#include "suite/store/joined_folders.hpp"

namespace ddpbench {

inline constexpr const char* kTablesOnlyOption = "--tables-only";  // of every command that makes a report
inline constexpr const char* kTablesOnlyHelp = "overhead.csv and tables/ only: no plots, no page, no Python";

// Says of which folders a report is made, and where it goes.
struct ReportRequest {
  const Installation& installation;
  std::vector<std::string> results;  // folders of one experiment: one study
  std::string out;                   // takes tables, plots and page; may be the folder itself where it is the only one
  bool tables_only = false;          // no plots and no page
  TrainingCostRequest request{};
  bool is_own_run = false;  // this process wrote `results` and need not verify them
};

// Holds what a report found, and what of it could not be written.
struct FolderReport {
  AnalysisResult analysis;
  std::string why_no_tables;  // not empty: they could not be written, and there is no page either
  std::string why_no_page;    // not empty: the tables are there, plots and page are not
  std::string page;           // path of report.html, where this call has written it
  std::string how_to_draw;    // the command that draws plots and page, where a run has left them out
};

// Opens a folder for a report, as ResultsFolder::open does, but tells whatever is wrong with its environment.json as UsageError.
ResultsFolder open_results(const std::string& path);

// Opens folders of one experiment as one. Throws as open_results does, and UsageError where they cannot be joined.
JoinedFolders open_study(const std::vector<std::string>& paths);

// Analyses the folders (tables) and draws them (plots, page). Throws UsageError where one is not a results folder or cannot be
// understood, CannotRun where `out` cannot be written; what hinders the drawing is told in the result.
FolderReport report_folder(const ReportRequest& request);

// Does the same for a run's own folder, at its end: the measurements are stored by now, so whatever goes wrong is told in the
// result and loses nothing. With `tables_only` it says how to draw the rest.
FolderReport report_own_run(const Installation& installation, const std::string& folder, bool tables_only);

}  // namespace ddpbench
