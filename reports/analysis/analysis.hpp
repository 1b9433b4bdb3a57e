#pragma once
#include <string>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/findings/sizes/training_cost.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Estimates from the folders alone and writes OUT/overhead.csv and OUT/tables/ (written_tables.hpp), each file whole. Throws
// UsageError for a folder that cannot be understood, Error where OUT cannot be written. Hands the samples on to the checks, where
// there are any; the answer and the headlines begin with the faults that they find.
AnalysisResult analyse(const JoinedFolders& folders, const std::string& out_dir, const FolderChecks& checks = {},
                       const TrainingCostRequest& request = {});

}  // namespace ddpbench
