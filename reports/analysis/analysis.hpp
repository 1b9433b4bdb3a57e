#pragma once
#include <span>
#include <string>

#include "reports/analysis/answer/analysis_result.hpp"
#include "suite/store/results_folder.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {

// Estimates from the folders alone: writes OUT/overhead.csv and OUT/tables/ (written_tables.hpp), each file whole. Throws
// UsageError for a folder that cannot be understood, Error where OUT cannot be written. Several folders are not merged yet:
// UsageError. The samples are handed on to the check, where there is one; the answer and the headlines begin with the faults that it finds.
AnalysisResult analyse(std::span<const ResultsFolder> folders, const std::string& out_dir, FolderCheck* check = nullptr);

}  // namespace ddpbench
