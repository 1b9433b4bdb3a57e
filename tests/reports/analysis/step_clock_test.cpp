// Where the device's time was measured, the host's stamps are times of enqueuing: every figure of a step is the device's.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "reports/analysis/answer/summary.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/text.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr double kHostUs = 100, kDeviceUs = 4000;

class StepClock : public AnalysedRun {
 protected:
  StepClock() {
    SyntheticLaunch launch;
    launch.step_us = kHostUs;
    launch.device_us = kDeviceUs;
    launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 40}};
    result_ = analyse_launches({launch});
  }
  // A column of raw's rows.
  std::vector<double> of_raw(const std::string& file, const std::string& column) const {
    std::istringstream lines(read_file(path_ + "/" + file));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(lines, line);) rows.push_back(split(line, ','));
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
    };
    std::vector<double> values;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (rows[i].at(place("arm")) != "raw") continue;
      const auto& text = rows[i].at(place(column));
      values.push_back(text.empty() ? kNotMeasured : std::stod(text));
    }
    return values;
  }

  AnalysisResult result_;
};

TEST_F(StepClock, IsTheDevicesInEveryTable) {
  EXPECT_EQ(result_.primary_clock, "device");
  EXPECT_THAT(read_file(path_ + "/tables/cells.csv"), HasSubstr(",4.0"));
  EXPECT_THAT(of_raw("tables/drift.csv", "step_ms"), Each(testing::DoubleNear(1e-3 * kDeviceUs, 1e-9)));
  EXPECT_FALSE(of_raw("tables/drift.csv", "step_ms").empty());
  const auto samples = static_cast<double>(SyntheticRun::kRanks * 8);
  EXPECT_THAT(of_raw("scaling.csv", "samples_per_s"), Each(testing::DoubleNear(1e6 * samples / kDeviceUs, 1e-6)));
  for (const auto& row : result_.overhead) EXPECT_NEAR(row.step_us, kDeviceUs, 1e-6) << row.arm << row.clock;
}

TEST_F(StepClock, IsTheDevicesInTheAnswerAndTheFiguresOfMerit) {
  EXPECT_EQ(result_.answer.at(0), "trainer costs 40 us of device time per step over raw DDP, between 40 and 40 us.");
  EXPECT_EQ(result_.answer.at(1), "That is 1.0 % (1.0 to 1.0 %) of its step of 4.0 ms.");
  EXPECT_EQ(result_.foms.at(0).name, "step_ms.null.raw");
  EXPECT_NEAR(result_.foms.at(0).value, 1e-3 * kDeviceUs, 1e-9);
}

TEST_F(StepClock, WhatEnqueuingCannotTellIsBlank) {
  EXPECT_TRUE(of_raw("tables/distribution.csv", "step_ms").empty());
  EXPECT_TRUE(of_raw("tables/efficiency.csv", "parallel").empty());
  std::istringstream lines(read_file(path_ + "/tables/breakdown.csv"));
  std::size_t waits = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(",comm_wait,") == std::string::npos) continue;
    ++waits;
    EXPECT_THAT(line, HasSubstr(",comm_wait,,,0,")) << "no mean and no share";
  }
  EXPECT_EQ(waits, 3U);
}

}  // namespace
}  // namespace ddpbench
