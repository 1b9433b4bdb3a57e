// An axis and a key of the protocol that one line each adds (suite/contract/*.inc beside this file): where they are then seen.
#include <gmock/gmock.h>

#include "reports/analysis/analysis.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_text.hpp"
#include "suite/store/merge_parts.hpp"
#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kToml =
    "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"null\"]\nstages_per_pipeline = [1, 4]\n"
    "constraints = [\"stages_per_pipeline * ranks_per_node <= 64\"]\n[protocol]\npause_us = 2.5\n";

Experiment parsed(const std::vector<std::string>& settings = {}) {
  return parse_experiment(kToml, "x.toml", test::test_vocabulary(), {settings, {}});
}

Plan planned(const Experiment& experiment) { return make_plan(experiment, test::test_vocabulary(), {}); }

// The launch of four stages.
LaunchSpec planned_launch() { return planned(parsed({"launches=1", "stages_per_pipeline=4"})).launches.at(0).spec; }

template <class Row>
Row read_back(const Row& row) {
  std::string csv = csv_header<Row>();
  append_csv_row(csv, row);
  return read_csv_text<Row>(csv, "rows").at(0);
}

TEST(OneMore, IsReadFromToml) {
  const auto experiment = parsed();
  EXPECT_EQ(experiment.axes.back().name, "stages_per_pipeline");
  EXPECT_THAT(experiment.axes.back().values, ElementsAre("1", "4"));
  EXPECT_EQ(experiment.protocol.pause_us, 2.5);
  const auto toml = to_toml(experiment);
  EXPECT_THAT(toml, HasSubstr("\nstages_per_pipeline = [1, 4]\n"));
  EXPECT_THAT(toml, HasSubstr("\npause_us = 2.5   # rest between two blocks, microseconds\n"));
  EXPECT_EQ(parse_experiment(toml, "x.toml", test::test_vocabulary()), experiment);
}

TEST(OneMore, IsSetOnTheCommandLineAndCheckedThere) {
  const auto experiment = parsed({"stages_per_pipeline=2,8", "pause_us=7,9"});
  EXPECT_EQ(planned(experiment).cells, 4U);
  EXPECT_THAT([] { parsed({"stages_per_pipeline=65"}); }, ThrowsMessage<UsageError>(HasSubstr("from 1 to 64")));
  EXPECT_THAT([] { parsed({"pause_us=-1"}); }, ThrowsMessage<UsageError>(HasSubstr("from 0 to 1000000")));
  EXPECT_THAT([] { parsed({"stages=1"}); }, ThrowsMessage<UsageError>(HasSubstr("stages_per_pipeline")));
}

TEST(OneMore, IsAFlagOfTheWorker) {
  EXPECT_THAT(launch_spec_help(), HasSubstr("--stages-per-pipeline"));
  EXPECT_THAT(launch_spec_help(), HasSubstr("--pause-us                rest between two blocks, microseconds\n"));
  const auto again = launch_spec_from_tokens(to_tokens(planned_launch()));
  EXPECT_EQ(again.stages_per_pipeline, 4);
  EXPECT_EQ(again.protocol.pause_us, 2.5);
}

TEST(OneMore, StandsInWhatPlanPrints) {
  const auto experiment = parsed();
  const auto text = plan_text(planned(experiment), experiment, {});
  EXPECT_THAT(text, HasSubstr("  stages_per_pipeline         1, 4\n"));
  EXPECT_THAT(text, HasSubstr("  pause_us                    2.5     rest between two blocks, microseconds\n"));
  EXPECT_THAT(text, HasSubstr("  null-ddp-gloo-n1r1s4-fp32-b16   "));
  EXPECT_THAT(text, HasSubstr("  null-ddp-gloo-n1r1-fp32-b16   ")) << "cells of the default keep their names";
}

TEST(OneMore, IsAColumnOfTheRows) {
  const auto spec = planned_launch();
  EXPECT_EQ(read_back(to_row({spec, "", "", "", 1}, "")).stages_per_pipeline, 4);
  EXPECT_EQ(read_back(merge_parts(spec, {ArmFacts{}}).runs.at(0)).stages_per_pipeline, 4);
  EXPECT_THAT(csv_header<ScalingRow>(), HasSubstr(",batch_size_per_rank,stages_per_pipeline,options,"));
}

TEST(OneMore, StandsInTheTablesOfTheReport) {
  const ScratchFolder scratch;
  SyntheticLaunch one, four;
  four.launch_id = "L0002";
  four.cell_id = "C2";
  one.options = "pause_us=3";
  four.options = "pause_us=9";
  std::vector<PlanRow> plan{SyntheticRun(one).plan_row(), SyntheticRun(four).plan_row()};
  plan[1].stages_per_pipeline = 4;
  auto folder = ResultsFolder::create(scratch.path() + "/run", to_toml(parsed()), plan, with_arms({{"cores", 2}}));
  for (const auto& launch : {one, four}) folder.commit(SyntheticRun(launch).result());
  analyse(JoinedFolders(folder), scratch.path() + "/out");

  const auto scaling = read_csv_file<ScalingRow>(scratch.path() + "/out/scaling.csv");
  EXPECT_EQ(scaling.front().stages_per_pipeline, 1);
  EXPECT_EQ(scaling.back().stages_per_pipeline, 4);
  const auto cells = read_file(scratch.path() + "/out/tables/cells.csv");
  EXPECT_THAT(cells, HasSubstr("C1,\"null, 1 stage per pipeline, pause_us=3\""));
  EXPECT_THAT(cells, HasSubstr("C2,\"null, 4 stages per pipeline, pause_us=9\""));
}

}  // namespace
}  // namespace ddpbench
