#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reports/analysis/analysis.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/errors.hpp"
#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {

// Writes launches into a folder of their own and analyses it.
class AnalysedRun : public testing::Test {
 protected:
  // `protocol`: further lines of it.
  AnalysisResult analyse_launches(const std::vector<SyntheticLaunch>& launches, const std::string& protocol = "") {
    path_ = scratch_ / ("run" + std::to_string(++runs_));
    const auto folder = synthetic_folder(path_, launches, {{"cores", 2}, {"data_origin", "generated"}}, protocol);
    auto result = analyse(JoinedFolders(folder), path_);
    expect_measured_before_estimated(result);
    return result;
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
  // Whatever a test is about: a cell's own verdict is never passed over for an estimate.
  static void expect_measured_before_estimated(const AnalysisResult& result) {
    for (const auto& [cell_id, arm, step_ms, share] : result.shares) {
      for (const auto& row : result.overhead) {
        const bool is_its_own = row.cell_id == cell_id && row.arm == arm && row.clock == result.primary_clock && is_resolved(row);
        if (!is_its_own) continue;
        EXPECT_EQ(share.source, ShareSource::kMeasured) << arm << " on " << cell_id;
        if (std::isfinite(row.periodic_us.value) || rests_on_mean(row)) continue;  // told with more than that
        EXPECT_LE(share.percent.lo, row.overhead_percent.lo + 1e-9) << arm << " on " << cell_id;
        EXPECT_GE(share.percent.hi, row.overhead_percent.hi - 1e-9) << arm << " on " << cell_id;
      }
    }
  }

  int runs_ = 0;
};

}  // namespace ddpbench
