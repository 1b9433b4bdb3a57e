#include <gmock/gmock.h>

#include <sstream>

#include "suite/base/durable_file.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;

class MetricsTable : public AnalysedRun {
 protected:
  std::vector<std::string> rows_with(const std::string& word) const {
    std::istringstream lines(read_file(path_ + "/tables/metrics.csv"));
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(word) != std::string::npos) found.push_back(line);
    }
    return found;
  }
};

// Two launches of two ranks.
TEST_F(MetricsTable, GathersAMetricOverLaunchesAndRanks) {
  SyntheticLaunch first, second;
  first.arms = second.arms = {{"raw", 0}, {"raw_again", 0}, {"injected", 100}};
  second.launch_id = "L0002";
  first.delays_us = {{"injected", 125}};
  second.delays_us = {{"injected", 375}};
  analyse_launches({first, second});
  EXPECT_THAT(rows_with("injected_true_wall_s"), ElementsAre("C1,injected,injected_true_wall_s,0.00025,0.000125,0.000375,s,4,2"));
  EXPECT_THAT(rows_with("cell_id"), ElementsAre("cell_id,arm,metric,median,smallest,largest,unit,values,launches"));
}

TEST_F(MetricsTable, HasNoRowForAMetricThatNobodyRecorded) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}};
  analyse_launches({launch});
  EXPECT_TRUE(rows_with("injected").empty());
}

}  // namespace
}  // namespace ddpbench
