#include "harness/measure/collector_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

TEST(Metrics, EachHasANameOfItsOwnAUnitAndHelp) {
  std::set<std::string_view> names;
  for (const auto& metric : worker_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " stands twice";
    EXPECT_FALSE(metric.name.empty() || metric.unit.empty() || metric.help.empty()) << metric.name;
  }
  EXPECT_TRUE(names.contains("seconds_to_first_step") && names.contains("injected_true_device_s"))
      << "first and last of the table";
}

TEST(Metrics, ThoseOfPhasesStandInTheOrderOfThePhases) {
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    EXPECT_EQ(kMetrics.device_phases[phase].name, "device_" + std::string(kPhaseNames[phase]) + "_s");
    EXPECT_EQ(kMetrics.comm_waits[phase].name, "comm_wait_" + std::string(kPhaseNames[phase]) + "_s");
  }
}

TEST(PeriodicMetric, NamesItsWorkAndIsReadBack) {
  const auto name = named_metric(kMetrics.periodic_wall, "logger");
  EXPECT_EQ(name, "periodic_wall_s.logger");
  EXPECT_EQ(name_in_metric(name, kMetrics.periodic_wall), "logger");
  EXPECT_EQ(name_in_metric(name, kMetrics.periodic_device), "");
  EXPECT_EQ(name_in_metric("periodic_wall_s", kMetrics.periodic_wall), "");
}

std::unique_ptr<Collector> make(std::string_view metric, const CollectorRequest& request) {
  for (const auto& line : collected_metrics()) {
    if (line.metric.name == metric) return line.make(request);
  }
  return nullptr;
}

// A block without collectives and with nothing left out.
void run_block(Collector& collector, std::size_t arm) {
  collector.before_timed_steps(arm);
  collector.after_timed_steps(arm);
  collector.after_block(arm, {});
  collector.after_super_block(false);
}

// Every line of the table: it is the arms' or the rank's, or, on a host without a device, of neither.
TEST(Collectors, GiveAValueForEachArmOrOneForTheRank) {
  for (const auto& line : collected_metrics()) {
    const auto collector = line.make({.arms = 2, .block_steps = 4});
    for (const std::size_t arm : {0UL, 1UL, 0UL}) run_block(*collector, arm);
    const bool of_arms = std::isfinite(collector->of_arm(0)) && std::isfinite(collector->of_arm(1));
    const bool of_rank = std::isfinite(collector->of_rank());
    const bool of_device =
        line.metric.name == kMetrics.peak_device_memory.name || line.metric.name == kMetrics.device_memory.name;
    EXPECT_EQ(static_cast<int>(of_arms) + static_cast<int>(of_rank), of_device ? 0 : 1) << line.metric.name;
  }
}

TEST(Collectors, AnArmThatHadNoBlockHasZeroPerStep) {
  EXPECT_EQ(make("collectives_per_step", {.arms = 1, .block_steps = 4})->of_arm(0), 0);
}

TEST(Collectors, CountCollectivesAndTheirBytesByArm) {
  CollectiveLog log(8);
  for (const std::int64_t bytes : {100, 20}) log.add(CollectiveKind::kAllreduce, bytes).completed_ns = 1;
  const CollectorRequest request{.arms = 2, .block_steps = 4};
  const auto count = make("collectives_per_step", request);
  const auto bytes = make("collective_bytes_per_step", request);
  for (const auto& collector : {count.get(), bytes.get()}) {
    collector->after_block(1, log.records(0, 2));
    collector->after_block(1, log.records(1, 2));
  }
  EXPECT_EQ(count->of_arm(1), 3.0 / 8);
  EXPECT_EQ(bytes->of_arm(1), 140.0 / 8);
  EXPECT_EQ(count->of_arm(0), 0);
}

TEST(Collectors, CountSuperBlocksThatLeftAnUpdateOut) {
  const auto discarded = make("discarded_super_blocks", {.arms = 1});
  for (const bool left_out : {false, true, false, true}) discarded->after_super_block(left_out);
  EXPECT_EQ(discarded->of_rank(), 2);
}

}  // namespace
}  // namespace ddpbench
