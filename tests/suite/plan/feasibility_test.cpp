#include "suite/plan/feasibility.hpp"

#include <gmock/gmock.h>

#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;

LaunchSpec cell() {
  LaunchSpec spec;
  spec.workload = "resnet50_cifar10";
  spec.ranks_per_node = 2;
  return spec;
}

std::string why(const LaunchSpec& spec, const Availability& availability = {}) {
  return why_not_possible(spec, test::test_vocabulary(), availability);
}

TEST(Feasibility, NothingSpeaksAgainstAPlainCell) { EXPECT_EQ(why(cell()), ""); }

TEST(Feasibility, WhatIsNotBuiltSaysWhy) {
  auto spec = cell();
  spec.backend = "nccl";
  EXPECT_EQ(why(spec), "backend 'nccl' is not built: no CUDA at build time");
}

TEST(Feasibility, AStrategyBoundsTheRanks) {
  auto spec = cell();
  spec.strategy = "single";
  EXPECT_EQ(why(spec), "strategy 'single' runs 1 rank, this cell has 2");
  spec.ranks_per_node = 1;
  EXPECT_EQ(why(spec), "");
}

TEST(Feasibility, ALauncherBoundsTheNodes) {
  auto spec = cell();
  spec.nodes = 2;
  EXPECT_EQ(why(spec), "launcher 'local' starts 1 node, this cell has 2");
  EXPECT_EQ(why(spec, {.why_not = {}, .max_nodes = 0}), "") << "0: no bound";
}

TEST(Feasibility, WhatTheProbeMissedSaysWhy) {
  for (const auto& [axis, name] : std::map<std::string, std::string>{
           {"workload", "resnet50_cifar10"}, {"strategy", "ddp"}, {"backend", "gloo"}, {"precision", "fp32"}}) {
    EXPECT_EQ(why(cell(), {.why_not = {{axis, {{name, "broken"}}}}}), axis + " '" + name + "' is not available here: broken");
  }
}

// gloo on the CPU, nccl on CUDA; tf32 needs CUDA, the feature graph that and one rank's strategy.
Vocabulary vocabulary_with_cuda() {
  auto vocabulary = test::test_vocabulary();
  vocabulary.backends = {test::backend("gloo", "cpu"), test::backend("nccl", "cuda")};
  vocabulary.backends[0].device = "cpu";
  vocabulary.backends[1].device = "cuda";
  vocabulary.precisions.push_back(test::entry<PrecisionEntry>("tf32"));
  vocabulary.precisions.back().only = {{"device", {"cuda"}}};
  vocabulary.features.push_back(test::entry<FeatureEntry>("graph"));
  vocabulary.features.back().only = {{"device", {"cuda"}}, {"strategy", {"single"}}};
  vocabulary.arms.front().takes = {"graph"};
  return vocabulary;
}

TEST(Feasibility, APrecisionMayNeedADevice) {
  auto spec = cell();
  spec.precision = "tf32";
  EXPECT_EQ(why_not_possible(spec, vocabulary_with_cuda(), {}),
            "precision 'tf32' needs device cuda, this cell has cpu (backend 'gloo')");
  spec.backend = "nccl";
  EXPECT_EQ(why_not_possible(spec, vocabulary_with_cuda(), {}), "");
}

TEST(Feasibility, WhatADeviceLacksCountsOnThatDeviceOnly) {
  auto spec = cell();
  const Availability availability{.why_not = {{reason_kind("precision", "cuda"), {{"fp32", "too old a GPU"}}}}};
  EXPECT_EQ(why_not_possible(spec, vocabulary_with_cuda(), availability), "");
  spec.backend = "nccl";
  EXPECT_EQ(why_not_possible(spec, vocabulary_with_cuda(), availability),
            "precision 'fp32' is not available here: too old a GPU");
}

TEST(Feasibility, AFeatureIsAskedPerCell) {
  const char* text =
      "name = \"n\"\narms = [\"raw\", \"raw+graph\"]\n[axes]\nworkload = [\"null\"]\nstrategy = [\"single\", \"ddp\"]\n"
      "backend = [\"gloo\", \"nccl\"]\n[protocol]\nlaunches = 1\n";
  const auto vocabulary = vocabulary_with_cuda();
  const auto plan = make_plan(parse_experiment(text, "x.toml", vocabulary), vocabulary, {});
  std::map<std::string, std::string> skipped;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) skipped[launch.spec.backend + " " + launch.spec.strategy] = launch.skip_reason;
  }
  EXPECT_EQ(skipped, (std::map<std::string, std::string>{
                         {"gloo ddp", "feature 'graph' needs device cuda, this cell has cpu (backend 'gloo')"},
                         {"gloo single", "feature 'graph' needs device cuda, this cell has cpu (backend 'gloo')"},
                         {"nccl ddp", "feature 'graph' needs strategy single, this cell has ddp"}}));
  EXPECT_EQ(plan.launches.size(), 7U);
}

Plan planned_for(const std::vector<std::string>& settings, const Availability& availability = {}) {
  const char* least =
      "name = \"n\"\narms = [\"raw\", \"trainer+log\", \"trainer\"]\n[axes]\nworkload = [\"null\"]\n[protocol]\nlaunches = 2\n";
  const auto vocabulary = test::test_vocabulary();
  return make_plan(parse_experiment(least, "x.toml", vocabulary, {settings, {}}), vocabulary, availability);
}

TEST(Feasibility, AnEntryMayBeShutOutOfCellsByMoreThanOneAxis) {
  auto tables = test::test_vocabulary();
  auto arm = test::entry<ArmEntry>("py_raw");
  arm.excludes_cells = {{{{"device", "cpu"}, {"strategy", "ddp"}}, "nobody does that"}};
  tables.arms.push_back(arm);
  EXPECT_EQ(why_arm_not_possible("py_raw", cell(), tables, {}), "arm 'py_raw' is not possible here: nobody does that");
  auto alone = cell();
  alone.strategy = "single";
  EXPECT_EQ(why_arm_not_possible("py_raw", alone, tables, {}), "");
}

TEST(Feasibility, AnEntryMayBeShutOutByOptions) {
  auto tables = test::test_vocabulary();
  auto arm = test::entry<ArmEntry>("py_raw");
  arm.excludes_cells = {{{{"bucket_cap_mb", "!default"}, {"stem", "cifar"}}, "not both"}};
  tables.arms.push_back(arm);
  auto both = cell();
  EXPECT_EQ(why_arm_not_possible("py_raw", both, tables, {}), "") << "it has none of these options";
  both.options[OptionGroup::kStrategy] = {{"bucket_cap_mb", "2"}};
  both.options[OptionGroup::kWorkload] = {{"stem", "cifar"}};
  EXPECT_EQ(why_arm_not_possible("py_raw", both, tables, {}), "arm 'py_raw' is not possible here: not both");
  both.options[OptionGroup::kStrategy] = {{"bucket_cap_mb", "default"}};
  EXPECT_EQ(why_arm_not_possible("py_raw", both, tables, {}), "");
}

TEST(Feasibility, AWorkloadMayBeShutOutByASize) {
  auto tables = test::test_vocabulary();
  for (auto& entry : tables.workloads) {
    if (entry.name == "null") entry.excludes_cells = {{{{"batch_size_per_rank", "1"}}, "one sample is too few"}};
  }
  const char* text =
      "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"null\"]\nbatch_size_per_rank = [1, 2]\n[protocol]\nlaunches = 1\n";
  std::map<std::int64_t, std::string> skipped;
  for (const auto& launch : make_plan(parse_experiment(text, "x.toml", tables), tables, {}).launches)
    skipped[launch.spec.batch_size_per_rank] = launch.skip_reason;
  EXPECT_EQ(skipped[1], "workload 'null' is not possible here: one sample is too few");
  EXPECT_EQ(skipped[2], "");
}

TEST(Feasibility, WhereModulesAreTrainedAnArmNeedsOne) {
  auto tables = test::two_family_vocabulary();
  tables.workloads.push_back(test::entry<WorkloadEntry>(kModuleWorkload));
  auto of_modules = cell();
  of_modules.workload = kModuleWorkload;
  EXPECT_EQ(why_arm_not_possible("py_lightning=mine", of_modules, tables, {}), "");
  EXPECT_EQ(why_arm_not_possible("py_lightning", of_modules, tables, {}),
            "workload 'module' trains what arms name: 'py_lightning=NAME', with NAME under [modules]");
}

TEST(Feasibility, AReasonMayHoldForOneWorkload) {
  const Availability lacking{.why_not = {{"arm on resnet50_cifar10", {{"raw", "no package"}}}}};
  const auto tables = test::test_vocabulary();
  auto other = cell();
  other.workload = "null";
  EXPECT_THAT(why_arm_not_possible("raw", cell(), tables, lacking), HasSubstr("no package"));
  EXPECT_EQ(why_arm_not_possible("raw", other, tables, lacking), "");
}

// What is possible is asked once for all cells that it can be alike for: sizes and options tell them apart where an entry minds them.
TEST(Feasibility, AnArmIsShutOutOfTheCellsOfItsSizeOnly) {
  auto tables = test::test_vocabulary();
  for (auto& entry : tables.arms) {
    if (entry.name == "trainer") entry.excludes_cells = {{{{"nodes", "1"}}, "not alone"}};
  }
  const char* text =
      "name = \"n\"\narms = [\"raw\", \"trainer\"]\n[axes]\nworkload = [\"null\"]\nnodes = [1, 2]\n[protocol]\nlaunches = 1\n";
  const auto plan = make_plan(parse_experiment(text, "x.toml", tables), tables, {.why_not = {}, .max_nodes = 2});
  std::map<std::int64_t, std::size_t> arms;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) arms[launch.spec.nodes] = launch.spec.arms.size();
  }
  EXPECT_EQ(arms, (std::map<std::int64_t, std::size_t>{{1, 1}, {2, 2}}));
}

TEST(Feasibility, ASkippedCellKeepsItsLaunchesArmsAndReason) {
  const auto plan = planned_for({"backend=mpi"});
  ASSERT_EQ(plan.launches.size(), 2U);
  for (const auto& launch : plan.launches) {
    EXPECT_EQ(launch.skip_reason, "backend 'mpi' is not built: no MPI at build time");
    EXPECT_THAT(launch.spec.arms, ElementsAre("raw", "trainer+log", "trainer"));
  }
  EXPECT_EQ(expected_seconds(plan), 0);
}

TEST(Feasibility, AnArmThatIsNotPossibleDoesNotTakeItsCellWithIt) {
  const auto plan = planned_for({});
  ASSERT_EQ(plan.launches.size(), 4U);
  EXPECT_THAT(plan.launches[0].spec.arms, ElementsAre("trainer+log"));
  EXPECT_EQ(plan.launches[0].skip_reason, "feature 'log' needs device tpu, this cell has cpu (backend 'gloo')");
  EXPECT_EQ(plan.launches[0].spec.launch_id, "null-ddp-gloo-n1r1-fp32-b16-r0-trainer+log");
  EXPECT_THAT(plan.launches[1].spec.arms, ElementsAre("raw", "trainer"));
  EXPECT_EQ(plan.launches[1].skip_reason, "");
  EXPECT_EQ(expected_seconds(plan), 240);
}

TEST(Feasibility, WithoutTheReferenceNothingRuns) {
  const auto plan = planned_for({}, {.why_not = {{"arm", {{"raw", "broken"}}}}});
  ASSERT_EQ(plan.launches.size(), 2U);
  EXPECT_EQ(plan.launches[0].skip_reason, "arm 'raw' is not available here: broken");
}

// A worker without Python takes the other family only.
TEST(Feasibility, AReferenceTakesItsOwnFamilyWithIt) {
  const auto vocabulary = test::two_family_vocabulary();
  const char* text =
      "name = \"n\"\narms = [\"raw\", \"py_raw\", \"py_lightning\", \"trainer\"]\n[axes]\nworkload = [\"null\"]\n"
      "[protocol]\nlaunches = 1\n";
  const Availability no_python{.why_not = {{"arm", {{"py_raw", "no Python"}}}}};
  const auto plan = make_plan(parse_experiment(text, "x.toml", vocabulary), vocabulary, no_python);
  std::map<std::string, std::string> skipped;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) {
      EXPECT_THAT(launch.spec.arms, ElementsAre("raw", "trainer"));
    } else {
      skipped[launch.spec.arms.front()] = launch.skip_reason;
    }
  }
  EXPECT_EQ(skipped, (std::map<std::string, std::string>{
                         {"py_raw", "arm 'py_raw' is not available here: no Python"},
                         {"py_lightning", "its reference is not possible: arm 'py_raw' is not available here: no Python"}}));
  EXPECT_EQ(plan.launches.size(), 3U);
}

}  // namespace
}  // namespace ddpbench
