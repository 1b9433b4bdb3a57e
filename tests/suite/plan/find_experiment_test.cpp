#include "suite/plan/find_experiment.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "suite/base/errors.hpp"
#include "suite/plan/plan.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string complaint(const std::string& name, const std::string& share_dir = DDPBENCH_SHARE_DIR) {
  try {
    find_experiment(name, share_dir);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(FindExperiment, AShippedOneByName) {
  const auto found = find_experiment("demo", DDPBENCH_SHARE_DIR);
  EXPECT_THAT(found.path, testing::EndsWith("experiments/demo.toml"));
  EXPECT_THAT(found.text, HasSubstr("name = \"demo\""));
}

TEST(FindExperiment, AnyFile) {
  const ScratchFolder folder;
  std::ofstream(folder / "any.toml") << "name = 3";
  EXPECT_EQ(find_experiment(folder / "any.toml", "").text, "name = 3");
}

TEST(FindExperiment, UnknownOnesListTheShipped) {
  EXPECT_THAT(complaint("dem"),
              AllOf(HasSubstr("'dem' is no file"), HasSubstr("demo, frameworks, gadi_mnist, null_control, overhead"),
                    HasSubstr("did you mean 'demo'")));
  EXPECT_THAT(complaint("nothing.toml"), HasSubstr("no file"));
  EXPECT_THAT(complaint("../experiments/demo"), HasSubstr("no file"));
  EXPECT_THAT(complaint(""), HasSubstr("one of anatomy, claim, demo"));
  EXPECT_THAT(complaint(testing::TempDir()), HasSubstr("is a folder"));
  EXPECT_THAT(complaint("demo", "/nowhere"), HasSubstr("one of none"));
}

TEST(FindExperiment, WhatIsNoRegularFileOfABoundedSizeIsRefused) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder / "loop", folder / "loop");
  std::ofstream(folder / "large.toml") << std::string((std::size_t{1} << 20U) + 1, ' ');
  EXPECT_THAT(complaint(folder / "pipe"), HasSubstr("it is a named pipe"));
  EXPECT_THAT(complaint("/dev/zero"), HasSubstr("it is a device"));
  EXPECT_THAT(complaint(folder / "loop"), HasSubstr("Too many levels of symbolic links"));
  EXPECT_THAT(complaint(folder / "large.toml"), HasSubstr("1048577 bytes: at most 1048576 are read"));
}

// The arms of Python's frameworks, in a family of their own, as the worker's tables have them.
void add_frameworks(Vocabulary& vocabulary) {
  auto sigterm = test::entry<FeatureEntry>("sigterm"), csv = test::entry<FeatureEntry>("csv"),
       typical = test::entry<FeatureEntry>("typical");
  for (auto* nth : {&sigterm, &csv}) {
    nth->value = OptionEntry{.name = nth->name, .type = OptionType::kInteger, .default_value = "1", .minimum = 1, .maximum = 100};
  }
  auto clip = test::entry<FeatureEntry>("clip");
  clip.changes_work = true;
  typical.bundle = {"log", "bar_item", "bar", "csv=50", "accuracy", "checkpoint"};
  for (const char* name : {"bar_item", "bar", "accuracy", "checkpoint", "messages"})
    vocabulary.features.push_back(test::entry<FeatureEntry>(name));
  vocabulary.features.insert(vocabulary.features.end(), {csv, typical, sigterm, clip});
  for (auto& feature : vocabulary.features) feature.only.clear();
  for (const char* name :
       {"py_raw", "py_raw_again", "py_injected", "py_raw_item", "py_fabric", "py_accelerate", "py_hf_trainer", "py_lightning"}) {
    auto arm = test::entry<ArmEntry>(name);
    arm.program = "python";
    if (arm.name == "py_lightning") arm.features = {"sigterm"};
    if (arm.name == "py_lightning") arm.takes = {"typical", "messages"};
    if (arm.name == "py_hf_trainer") arm.takes = {"typical", "clip"};
    if (arm.name == "py_hf_trainer") arm.bundles = {{"typical", {"clip", "bar"}}};
    if (arm.name == "py_raw" || arm.name == "py_raw_again" || arm.name == "py_injected") arm.takes = {"clip"};
    arm.trains_whole = true;
    if (arm.name == "py_raw") arm.role = ArmRole::kReference;
    if (arm.name != "py_raw") arm.reference = "py_raw";
    vocabulary.arms.push_back(arm);
  }
}

TEST(ShippedExperiments, AreSoundAndCarryTheirFilesName) {
  auto vocabulary = test::test_vocabulary();
  const OptionEntry matmuls{.name = "matmuls",
                            .type = OptionType::kInteger,
                            .default_value = "0",
                            .minimum = 0,
                            .maximum = 1e6,
                            .help = "dummy compute"};
  vocabulary.workloads.front().options = {matmuls};
  vocabulary.workloads.push_back(test::entry<WorkloadEntry>("mnist_convnet"));
  for (const char* mode : {"find_unused_parameters", "static_graph"}) {
    for (auto& strategy : vocabulary.strategies) {
      if (strategy.name == "ddp") {
        strategy.options.push_back({.name = mode, .type = OptionType::kSwitch, .default_value = "false"});
      }
    }
  }
  add_frameworks(vocabulary);
  vocabulary.precisions.push_back({.name = "amp_fp16"});
  for (auto& backend : vocabulary.backends) backend.why_not_built.clear();
  const OptionEntry rate{.name = "learning_rate", .type = OptionType::kNumber, .default_value = "default", .maximum = 1e6};
  for (auto& workload : vocabulary.workloads) {
    workload.dataset = "cifar10";
    workload.options.push_back(rate);
  }
  const auto shipped = shipped_experiments(DDPBENCH_SHARE_DIR);
  EXPECT_THAT(shipped, testing::IsSupersetOf({"anatomy", "claim", "demo", "frameworks", "gadi_mnist", "null_control", "overhead",
                                              "scaling", "training"}));
  for (const auto& name : shipped) {
    const auto file = find_experiment(name, DDPBENCH_SHARE_DIR);
    const auto experiment = parse_experiment(file.text, file.path, vocabulary);
    EXPECT_EQ(experiment.name, name);
    EXPECT_EQ(parse_experiment(to_toml(experiment), name, vocabulary), experiment);
    if (file.text.find("[quick]") != std::string::npos) parse_experiment(file.text, file.path, vocabulary, {.quick = true});
    for (const auto& launch : make_plan(experiment, vocabulary, Availability{.why_not = {}, .max_nodes = 0}).launches)
      EXPECT_EQ(launch.skip_reason, "") << name;
  }
}

TEST(ShippedExperiments, TheDemoTakesOneLaunchOfEachWorkload) {
  const auto file = find_experiment("demo", DDPBENCH_SHARE_DIR);
  auto vocabulary = test::test_vocabulary();
  add_frameworks(vocabulary);
  const auto plan = make_plan(parse_experiment(file.text, file.path, vocabulary), vocabulary, {});
  ASSERT_EQ(plan.launches.size(), 3U);
  for (const auto& launch : plan.launches) {
    EXPECT_EQ(launch.spec.world_size(), 2);
    EXPECT_EQ(launch.spec.arms.front(), launch.spec.workload == "null" ? "py_lightning" : "raw");
    const auto& options = launch.spec.options[OptionGroup::kWorkload];
    EXPECT_EQ(options.count("stem"), launch.spec.workload == "resnet50_cifar10" ? 1U : 0U);
    if (options.count("stem") == 1) {
      EXPECT_EQ(options.at("stem"), "imagenet");
    }
  }
}

TEST(ExperimentQuestion, IsTheFirstSentenceOfTheCommentAtTheTop) {
  EXPECT_EQ(experiment_question("# Is it \"at most 5 %\"? What each costs.\nname = \"x\"\n"), "Is it \"at most 5 %\"?");
  EXPECT_EQ(experiment_question("# What a wrapper costs,\n# and why. About 2.5 minutes.\n#\nname = \"x\"\n"),
            "What a wrapper costs, and why.");
  EXPECT_EQ(experiment_question("name = \"x\"  # no. such\n"), "");
  EXPECT_EQ(experiment_question("#\n"), "");
}

}  // namespace
}  // namespace ddpbench
