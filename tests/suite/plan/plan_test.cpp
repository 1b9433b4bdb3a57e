#include "suite/plan/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/plan/cells.hpp"
#include "suite/plan/plan_part.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Experiment experiment(const std::vector<std::string>& settings, const std::vector<std::string>& constraints = {}) {
  const char* least =
      "name = \"n\"\narms = [\"raw\", \"trainer\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\n[protocol]\nlaunches = 1\n";
  return parse_experiment(least, "x.toml", test::test_vocabulary(), {settings, constraints});
}

Plan planned(const std::vector<std::string>& settings, const std::vector<std::string>& constraints = {}) {
  return make_plan(experiment(settings, constraints), test::test_vocabulary(), Availability{.why_not = {}, .max_nodes = 0});
}

std::vector<std::string> launch_ids(const Plan& plan) {
  std::vector<std::string> ids;
  for (const auto& launch : plan.launches) ids.push_back(launch.spec.launch_id);
  return ids;
}

std::set<std::string> cell_ids(const Plan& plan) {
  std::set<std::string> ids;
  for (const auto& launch : plan.launches) ids.insert(launch.spec.cell_id);
  return ids;
}

TEST(Plan, ALaunchKnowsEverything) {
  const auto plan = planned({"ranks_per_node=2", "batch_size_per_rank=4", "stem=imagenet", "bucket_cap_mb=1", "block_steps=3",
                             "warmup_steps=5", "max_seconds_per_launch=7", "min_super_blocks=8", "max_super_blocks=9",
                             "injected_us=50", "hang_timeout_seconds=11", "threads_per_rank=2"});
  ASSERT_EQ(plan.launches.size(), 1U);
  const auto& [spec, options, skip_reason, dataset, stands_for, extra, on_gpus, profiles] = plan.launches.front();
  EXPECT_EQ(spec.launch_id, "resnet50_cifar10-ddp-gloo-n1r2-fp32-b4-r0");
  EXPECT_EQ(spec.cell_id, "resnet50_cifar10-ddp-gloo-n1r2-fp32-b4");
  EXPECT_EQ(spec.workload + spec.strategy + spec.backend + spec.precision, "resnet50_cifar10ddpgloofp32");
  EXPECT_EQ(spec.world_size(), 2);
  EXPECT_EQ(spec.batch_size_per_rank, 4);
  EXPECT_THAT(spec.arms, ElementsAre("raw", "trainer"));
  EXPECT_EQ(spec.options[OptionGroup::kWorkload], (std::map<std::string, std::string>{{"data", "cifar"}, {"stem", "imagenet"}}));
  EXPECT_EQ(spec.options[OptionGroup::kStrategy],
            (std::map<std::string, std::string>{{"bucket_cap_mb", "1"}, {"gradient_as_bucket_view", "false"}}));
  EXPECT_EQ(options, "data=cifar;stem=imagenet;bucket_cap_mb=1;gradient_as_bucket_view=false");
  EXPECT_THAT(
      (std::vector<double>{static_cast<double>(spec.protocol.block_steps), static_cast<double>(spec.protocol.warmup_steps),
                           spec.protocol.max_seconds_per_launch, static_cast<double>(spec.protocol.min_super_blocks),
                           static_cast<double>(spec.protocol.max_super_blocks), spec.protocol.injected_us,
                           spec.protocol.hang_timeout_seconds, static_cast<double>(spec.protocol.threads_per_rank)}),
      ElementsAre(3, 5, 7, 8, 9, 50, 11, 2));
  EXPECT_EQ(skip_reason, "");
  EXPECT_EQ(dataset, "");
  EXPECT_EQ(stands_for, 1);
  EXPECT_TRUE(extra.empty());
  EXPECT_FALSE(on_gpus);
  EXPECT_EQ(profiles, 0);
}

TEST(Plan, MemoryIsMeasuredOncePerCellWhereItIsAskedArmByArm) {
  std::vector<std::string> measured;
  for (const auto& launch :
       planned({"nodes=1,2", "launches=2", "memory_where=nodes == 2", "arms=raw,raw_again,trainer"}).launches) {
    for (const auto& spec : launch.extra)
      measured.push_back(launch.spec.launch_id + " " + spec.purpose + " " + join(spec.arms, ","));
  }
  const std::string first = "resnet50_cifar10-ddp-gloo-n2r1-fp32-b16-r0 memory ";
  EXPECT_THAT(measured, ElementsAre(first + "raw", first + "trainer"));
}

TEST(Plan, WholeTrainingsStandBehindEachLaunchWithAllArmsThatCan) {
  auto vocabulary = test::test_vocabulary();
  for (auto& arm : vocabulary.arms) arm.trains_whole = arm.name != "raw_item";
  for (auto& workload : vocabulary.workloads) workload.dataset = "cifar10";
  const auto plan_of = [&](std::vector<std::string> settings) {
    settings.insert(settings.end(), {"nodes=1,2", "launches=2", "training_where=nodes == 2"});
    const auto asked = parse_experiment("name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\n", "x.toml",
                                        vocabulary, {settings, {}});
    return make_plan(asked, vocabulary, Availability{.why_not = {}, .max_nodes = 0});
  };
  std::vector<std::string> trained;
  for (const auto& launch : plan_of({"arms=raw,raw_again,raw_item,raw+ideal,trainer", "data=cifar"}).launches) {
    for (const auto& spec : launch.extra)
      trained.push_back(launch.spec.launch_id + " " + spec.purpose + " " + join(spec.arms, ","));
  }
  const std::string cell = "resnet50_cifar10-ddp-gloo-n2r1-fp32-b16";
  EXPECT_THAT(trained, ElementsAre(cell + "-r0 training raw,raw_again,trainer", cell + "-r1 training raw,raw_again,trainer"));
  EXPECT_THAT(
      [&] {
        plan_of({"arms=raw", "data=constant"});
      },
      ThrowsMessage<UsageError>(
          HasSubstr("a whole training needs images of a data set, which this cell has not: leave it out, or set data")));
  for (auto& arm : vocabulary.arms) arm.trains_whole = arm.name == "trainer";
  EXPECT_THAT(
      [&] {
        plan_of({"arms=raw", "data=cifar"});
      },
      ThrowsMessage<UsageError>(HasSubstr("none of its arms trains whole: must be one of trainer")));
}

TEST(Plan, AWholeTrainingThatCannotResumeIsToldWithItsCell) {
  auto vocabulary = test::test_vocabulary();
  for (auto& arm : vocabulary.arms) {
    arm.trains_whole = true;
    if (arm.name == "raw") arm.takes.push_back("resumed");
  }
  vocabulary.features.push_back(
      {.name = "resumed",
       .value = OptionEntry{.name = "resumed", .type = OptionType::kInteger, .default_value = "0", .maximum = 100}});
  for (auto& workload : vocabulary.workloads) workload.dataset = "cifar10";
  const auto plan_with = [&](const std::string& epochs) {
    const auto asked =
        parse_experiment("name = \"n\"\narms = [\"raw\", \"raw+resumed\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\n", "x.toml",
                         vocabulary, {{"training_where=true", "data=cifar", epochs}, {}});
    return make_plan(asked, vocabulary, Availability{.why_not = {}, .max_nodes = 0});
  };
  EXPECT_EQ(plan_with("epochs=2").launches.front().extra.size(), 1U);
  EXPECT_THAT([&] { plan_with("epochs=1"); },
              ThrowsMessage<UsageError>(HasSubstr("x.toml: training_where, cell resnet50_cifar10-ddp-gloo-n1r1-fp32-b16: arm "
                                                  "'raw+resumed' goes on behind half of its epochs")));
}

TEST(PlanPart, PartsHoldEveryLaunchOnce) {
  const auto whole = planned({"nodes=1,2", "launches=5"});
  std::vector<std::string> ids;
  for (const auto* text : {"1/3", "2/3", "3/3"}) {
    auto plan = whole;
    keep_part(plan_part(text, "--part"), plan);
    for (const auto& id : launch_ids(plan)) ids.push_back(id);
  }
  auto all = launch_ids(whole);
  std::sort(ids.begin(), ids.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(ids, all);
}

TEST(PlanPart, HoldsWholeRepetitionsOfAllCells) {
  auto plan = planned({"nodes=1,2", "launches=5"});
  keep_part({2, 3}, plan);
  std::set<std::int64_t> repetitions;
  for (const auto& launch : plan.launches) repetitions.insert(launch.spec.repetition);
  EXPECT_THAT(repetitions, ElementsAre(1, 4));
  EXPECT_EQ(cell_ids(plan).size(), 2U);
}

TEST(PlanPart, IsRefusedWhereItIsNone) {
  for (const auto* text : {"", "2", "0/3", "4/3", "1/3/1", "a/b", "-1/2"})
    EXPECT_THROW(plan_part(text, "--part"), UsageError) << text;
  auto plan = planned({"launches=2"});
  EXPECT_THROW(keep_part({3, 3}, plan), UsageError) << "it would hold nothing";
}

TEST(Plan, ALaunchReadsTheDataSetOfItsWorkloadsEntry) {
  auto vocabulary = test::test_vocabulary();
  vocabulary.workloads.at(1).dataset = "tiny";  // convnet_cifar10: its name is no longer asked
  const auto dataset_of = [&](const std::string& setting) {
    const auto experiment = parse_experiment("name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"convnet_cifar10\"]\n",
                                             "x.toml", vocabulary, {{setting}, {}});
    return make_plan(experiment, vocabulary, {}).launches.at(0).dataset;
  };
  EXPECT_EQ(dataset_of("data=cifar"), "tiny");
  EXPECT_EQ(dataset_of("data=constant"), "");
}

TEST(Plan, CellsAreTheProductLessTheConstraints) {
  const auto plan = planned({"nodes=1,2,4", "ranks_per_node=1,2", "strategy=ddp,single"},
                            {"nodes * ranks_per_node <= 4", "nodes != 2 or strategy == 'ddp'"});
  EXPECT_EQ(plan.cells + plan.dropped_by_constraints, 12U);
  EXPECT_EQ(plan.dropped_by_constraints, 4U);
  EXPECT_EQ(cell_ids(plan).size(), 8U);
  for (const auto& launch : plan.launches) EXPECT_LE(launch.spec.world_size(), 4);
}

TEST(Plan, ConstraintsSeeOptionsThatAreAxes) {
  const auto plan = planned({"stem=imagenet,cifar", "gradient_as_bucket_view=true,false", "bucket_cap_mb=0.5,2"},
                            {"stem == \"cifar\"", "not gradient_as_bucket_view", "bucket_cap_mb < 1"});
  EXPECT_THAT(cell_ids(plan),
              ElementsAre("resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-stem=cifar-bucket_cap_mb=0.5-gradient_as_bucket_view=false"));
  EXPECT_EQ(plan.launches.front().spec.options[OptionGroup::kStrategy].at("bucket_cap_mb"), "0.5");
}

// One experiment for every machine: nccl where there is a GPU, on as many ranks as there are GPUs for.
TEST(Plan, ConstraintsSeeTheGpusOfTheTarget) {
  const auto asked = experiment({"backend=gloo,nccl", "ranks_per_node=1,2"},
                                {"(backend == 'nccl') == (gpus > 0)", "(ranks_per_node == 1) == (gpus == 1)"});
  const auto cells_with = [&](std::int64_t gpus) {
    return cell_ids(make_plan(asked, test::test_vocabulary(), Availability{.why_not = {}, .gpus = gpus}));
  };
  EXPECT_THAT(cells_with(0), ElementsAre("resnet50_cifar10-ddp-gloo-n1r2-fp32-b16"));
  EXPECT_THAT(cells_with(1), ElementsAre("resnet50_cifar10-ddp-nccl-n1r1-fp32-b16"));
  EXPECT_THAT(cells_with(4), ElementsAre("resnet50_cifar10-ddp-nccl-n1r2-fp32-b16"));
}

TEST(Plan, ConstraintsThatLeaveNothingAreAMistakeThatNamesThem) {
  try {
    planned({"nodes=1,2"}, {"nodes > 1", "nodes < 2"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("leave none of 2 cells"), HasSubstr("dropped 1: nodes > 1"), HasSubstr("dropped 1: nodes < 2")));
  }
}

// Two families on two workloads, with these lines under [arms_where].
Plan planned_where(const std::string& lines, const std::map<std::string, std::string>& missing_arms = {}) {
  const auto text =
      "name = \"n\"\narms = [\"raw\", \"trainer\", \"py_raw\", \"py_lightning\"]\n[axes]\n"
      "workload = [\"null\", \"resnet50_cifar10\"]\n[arms_where]\n" +
      lines + "\n[protocol]\nlaunches = 1\n";
  const auto vocabulary = test::two_family_vocabulary();
  return make_plan(parse_experiment(text, "x.toml", vocabulary), vocabulary, Availability{.why_not = {{"arm", missing_arms}}});
}

std::map<std::string, std::vector<std::string>> arms_by_launch(const Plan& plan) {
  std::map<std::string, std::vector<std::string>> arms;
  for (const auto& launch : plan.launches) arms[launch.spec.launch_id] = launch.spec.arms;
  return arms;
}

TEST(Plan, AnArmIsInTheCellsWhereItsConstraintHolds) {
  const auto arms = arms_by_launch(planned_where("trainer = \"workload != 'null'\""));
  EXPECT_THAT(arms.at("null-ddp-gloo-n1r1-fp32-b16-r0"), ElementsAre("raw", "py_raw", "py_lightning"));
  EXPECT_THAT(arms.at("resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-r0"), ElementsAre("raw", "trainer", "py_raw", "py_lightning"));
}

TEST(Plan, TheConstraintOfAReferenceIsItsFamilys) {
  const auto plan = planned_where("py_raw = \"workload == 'null'\"", {{"py_lightning", "not installed"}});
  const auto arms = arms_by_launch(plan);
  EXPECT_THAT(arms.at("null-ddp-gloo-n1r1-fp32-b16-r0"), ElementsAre("raw", "trainer", "py_raw"));
  EXPECT_THAT(arms.at("resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-r0"), ElementsAre("raw", "trainer"));
  EXPECT_EQ(arms.size(), 3U) << "what a cell is not to have is not skipped in it";
}

TEST(Plan, ACellWithoutAnArmIsAMistakeThatNamesIt) {
  try {
    planned_where("raw = \"workload == 'null'\"\npy_raw = \"workload == 'null'\"");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("arms_where"), HasSubstr("resnet50_cifar10-ddp-gloo-n1r1-fp32-b16")));
  }
}

TEST(Plan, AConstraintThatDividesByZeroNamesTheCell) {
  try {
    planned({"nodes=1,2"}, {"4 % (nodes - 2) == 0"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("n2r1"), HasSubstr("divides by zero")));
  }
}

TEST(Plan, AWorkloadWithoutASweptOptionRunsOnce) {
  const auto plan = planned({"workload=null,resnet50_cifar10", "stem=imagenet,cifar"});
  EXPECT_THAT(cell_ids(plan), ElementsAre("null-ddp-gloo-n1r1-fp32-b16", "resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-stem=cifar",
                                          "resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-stem=imagenet"));
  EXPECT_EQ(plan.merged, 1U);
  for (const auto& launch : plan.launches)
    EXPECT_EQ(launch.spec.workload == "null", launch.spec.options[OptionGroup::kWorkload].empty());
}

TEST(Plan, ProtocolFieldsCanBeAxes) {
  const auto plan = planned({"launches=1,3", "block_steps=2,4"});
  EXPECT_EQ(plan.cells, 4U);
  EXPECT_EQ(plan.launches.size(), 8U);
  for (const auto& launch : plan.launches) {
    EXPECT_THAT(launch.options, HasSubstr("block_steps=" + std::to_string(launch.spec.protocol.block_steps)));
  }
  EXPECT_THROW(planned({"min_super_blocks=6,20", "max_super_blocks=10"}), UsageError);
  EXPECT_NO_THROW(planned({"min_super_blocks=6,20", "max_super_blocks=10,30"}, {"max_super_blocks >= min_super_blocks"}));
}

TEST(Plan, GoesRepetitionByRepetitionInAnOrderThatTheSeedReplays) {
  const std::vector<std::string> settings{"batch_size_per_rank=1,2,3,4,5,6,7,8", "launches=3"};
  auto reseeded = settings;
  reseeded.push_back("seed=2");
  const auto plan = planned(settings);
  ASSERT_EQ(plan.launches.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(plan.launches[i].spec.repetition, static_cast<std::int64_t>(i / 8));
  EXPECT_EQ(launch_ids(planned(settings)), launch_ids(plan));
  EXPECT_NE(launch_ids(planned(reseeded)), launch_ids(plan));
  const auto cell = [&](std::size_t i) { return plan.launches[i].spec.cell_id; };
  bool same_order = true;
  for (std::size_t i = 0; i < 8; ++i) same_order = same_order && cell(i) == cell(i + 8);
  EXPECT_FALSE(same_order);
}

TEST(Plan, SeedsDifferByLaunchAndDoNotDependOnOtherCells) {
  const auto all = planned({"batch_size_per_rank=1,2,3,4", "launches=5"});
  const auto one = planned({"batch_size_per_rank=3", "launches=5"});
  std::map<std::string, std::int64_t> seeds;
  std::set<std::int64_t> distinct;
  for (const auto& launch : all.launches) {
    seeds[launch.spec.launch_id] = launch.spec.seed;
    distinct.insert(launch.spec.seed);
    EXPECT_GE(launch.spec.seed, 0);
    EXPECT_LT(launch.spec.seed, std::int64_t{1} << 53);
  }
  EXPECT_EQ(distinct.size(), 20U);
  for (const auto& launch : one.launches) EXPECT_EQ(seeds.at(launch.spec.launch_id), launch.spec.seed);
}

// Written down so that a later change of the mixing, which would change every rerun, is seen.
TEST(Plan, SeedsStayWhatTheyAre) {
  const auto plan = planned({});
  EXPECT_EQ(plan.launches.front().spec.seed, 3693832042326541);
}

TEST(Plan, TooManyLaunchesAreRefused) {
  std::string axis = "batch_size_per_rank=1";
  for (int i = 2; i <= 51; ++i) axis += "," + std::to_string(i);
  try {
    planned({axis, "launches=10000"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("500000 launches"), HasSubstr("protocol.launches below 10000")));
  }
}

TEST(FileSafe, KeepsDifferentNamesDifferentAndShort) {
  EXPECT_EQ(file_safe("a-b_c=0.5+d"), "a-b_c=0.5+d");
  EXPECT_EQ(file_safe("a/b"), "a~2fb");
  EXPECT_NE(file_safe("a~2fb"), file_safe("a/b"));
  EXPECT_LE(file_safe(std::string(500, 'x')).size(), 150U);
  EXPECT_NE(file_safe(std::string(500, 'x')), file_safe(std::string(501, 'x')));
}

TEST(PlanRow, HoldsTheLaunch) {
  auto plan = planned({"nodes=2", "ranks_per_node=3"});
  const auto row = to_row(plan.launches.front(), "do it");
  EXPECT_EQ(row.launch_id, "resnet50_cifar10-ddp-gloo-n2r3-fp32-b16-r0");
  EXPECT_EQ(row.nodes * 10 + row.ranks_per_node, 23);
  EXPECT_EQ(row.arms, "raw trainer");
  EXPECT_EQ(row.status_planned + row.skip_reason, "planned");
  EXPECT_EQ(row.command, "do it");
  plan.launches.front().skip_reason = "why";
  EXPECT_EQ(to_row(plan.launches.front(), "").status_planned, "skipped");
}

}  // namespace
}  // namespace ddpbench
