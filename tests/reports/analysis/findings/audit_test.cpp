#include "reports/analysis/findings/audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Json = nlohmann::ordered_json;

// Two launches each of two cells; L1 and L2 are of cell C0.
Study study_of(const Json& launches) {
  Study study;
  for (int i = 0; i < 2; ++i) {
    auto& cell = study.cells.emplace_back();
    cell.axes.cell_id = "C" + std::to_string(i);
    cell.axes.options = "stem=x;threads_per_rank=" + std::to_string(i + 1);
    cell.axes.nodes = i + 1;
    for (int k = 1; k <= 2; ++k) cell.launches.emplace_back().launch_id = "L" + std::to_string(2 * i + k);
  }
  study.launch_facts = launch_facts_of({{"launches", launches}});
  return study;
}

// The same fact for L1 … L4.
Json facts(const std::string& key, const std::vector<Json>& values) {
  Json launches;
  for (std::size_t i = 0; i < values.size(); ++i) launches["L" + std::to_string(i + 1)][key] = values[i];
  return launches;
}

AuditRow only_row(const std::string& key, const std::vector<Json>& values) {
  const auto rows = audit_rows(study_of(facts(key, values)));
  if (rows.size() != 1) throw std::runtime_error("not one row: " + std::to_string(rows.size()));
  return rows.front();
}

TEST(Audit, AnotherVersionIsAnError) {
  const auto row = only_row("torch", {"2.11.0", "2.11.0", "2.11.0", "2.12.0"});
  EXPECT_EQ(row.severity, "error");
  EXPECT_EQ(row.values, "2.11.0 (3 launches: L1, L2, L3); 2.12.0 (1 launch: L4)");
  EXPECT_TRUE(row.within_a_cell);
  EXPECT_EQ(row.launches, 4);
  EXPECT_EQ(row.cells, 2);
  EXPECT_THAT(audit_phrase({row}), ElementsAre(HasSubstr("error: torch differs between launches of one cell")));
}

TEST(Audit, AVersionThatLooksLikeANumberHasNoTolerance) {
  EXPECT_EQ(only_row("cuda", {12.4, 12.4, 12.6, 12.4}).severity, "error");
  EXPECT_EQ(only_row("driver_version", {550.1, 550.1, 550.1, 550.2}).severity, "error");
}

TEST(Audit, EverythingElseIsAWarningAndErrorsComeFirst) {
  const auto row = only_row("binding", {"0-1", "0-1", "2-3", "4-5"});
  EXPECT_EQ(row.severity, "warning");
  auto launches = facts("a_key", {"1", "2", "1", "1"});
  launches["L1"]["python_version"] = "3.11";
  launches["L2"]["python_version"] = "3.12";
  const auto rows = audit_rows(study_of(launches));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].what, "python_version");
  EXPECT_EQ(rows[0].launches, 2);  // the others do not say
  EXPECT_EQ(rows[1].what, "a_key");
}

TEST(Audit, WhatTheExperimentAskedForIsNoConfounder) {
  const auto row = only_row("threads_per_rank", {"1", "1", "2", "2"});
  EXPECT_EQ(row.severity, "asked_for");
  EXPECT_EQ(row.asked_for, "threads_per_rank");
  EXPECT_FALSE(row.within_a_cell);
  EXPECT_THAT(audit_phrase({row}), IsEmpty());
  EXPECT_EQ(only_row("hosts", {"a", "a", "a b", "a b"}).asked_for, "nodes");  // more nodes are other hosts
}

TEST(Audit, AnOptionThatTheLaunchesDidNotKeepIsAWarning) {
  EXPECT_EQ(only_row("threads_per_rank", {"1", "2", "2", "2"}).severity, "warning");
  EXPECT_EQ(only_row("hosts", {"a", "b", "a b", "a b"}).severity, "warning");
}

TEST(Audit, MeasuredNumbersHaveATolerance) {
  EXPECT_THAT(audit_rows(study_of(facts("cpu_mhz", {2000.1, 2050.0, 1990.0, 2100.0}))), IsEmpty());
  const auto row = only_row("cpu_mhz", {2000.1, 2050.0, 1500.5, 2100.0});
  EXPECT_EQ(row.severity, "warning");
  EXPECT_EQ(row.values, "1500.5 (L3) to 2100.0 (L4)");
  EXPECT_THAT(audit_rows(study_of(facts("load", {0.01, 0.9, 0.3, 1.9}))), IsEmpty());
  EXPECT_THAT(audit_rows(study_of(facts("load", {0.01, 0.9, 0.3, 2.9}))), IsEmpty()) << "its own rank is one of them";
  EXPECT_EQ(only_row("load", {0.01, 0.9, 0.3, 3.5}).what, "load");
  EXPECT_EQ(only_row("workers", {20, 20, 20, 21}).what, "workers");  // a count is the same or not
}

TEST(Audit, AFolderWithoutFactsHasNothingToCompare) {
  EXPECT_THAT(audit_rows(study_of(Json::object())), IsEmpty());
  Study study;
  study.launch_facts = launch_facts_of({{"launches", "text"}});
  EXPECT_THAT(audit_rows(study), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
