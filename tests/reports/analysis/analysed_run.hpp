#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/analysis/analysis.hpp"
#include "suite/base/errors.hpp"
#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {

// Writes launches into a folder of their own and analyses it.
class AnalysedRun : public testing::Test {
 protected:
  AnalysisResult analyse_launches(const std::vector<SyntheticLaunch>& launches) {
    path_ = scratch_ / ("run" + std::to_string(++runs_));
    const auto folder = synthetic_folder(path_, launches);
    return analyse(JoinedFolders(folder), path_);
  }
  static const OverheadRow& find(const AnalysisResult& result, const std::string& arm, const std::string& clock) {
    for (const auto& row : result.overhead) {
      if (row.arm == arm && row.clock == clock) return row;
    }
    throw Error("no row of " + arm + " on " + clock);
  }

  ScratchFolder scratch_;
  std::string path_;  // of the last one

 private:
  int runs_ = 0;
};

}  // namespace ddpbench
