#include "suite/contract/launch_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

LaunchSpec every_field_set() {
  LaunchSpec spec;
  spec.launch_id = "L0007";
  spec.cell_id = "C2";
  spec.workload = "resnet50_cifar10";
  spec.strategy = "zero1";
  spec.backend = "nccl";
  spec.precision = "amp_bf16";
  spec.nodes = 2;
  spec.ranks_per_node = 3;
  spec.devices_per_rank = 4;
  spec.batch_size_per_rank = 5;
  spec.repetition = 6;
  spec.arms = {"raw", "trainer-fetch+log"};
  spec.block_steps = 7;
  spec.warmup_steps = 8;
  spec.max_seconds = 0.1;
  spec.min_super_blocks = 9;
  spec.max_super_blocks = 10;
  spec.injected_us = 1e-3;
  spec.hang_timeout_seconds = 11;
  spec.threads_per_rank = 12;
  spec.deterministic = true;
  spec.cudnn_benchmark = true;
  spec.seed = -13;
  spec.data = "/data set/cifar";
  spec.part_dir = "/tmp/parts";
  spec.workload_options = {{"stem", "imagenet"}, {"path", "a=b,c"}};
  spec.strategy_options = {{"bucket_cap_mb", "25"}};
  return spec;
}

TEST(LaunchSpec, TokensReadBackToTheSameSpec) {
  const auto tokens = to_tokens(every_field_set());
  EXPECT_EQ(to_tokens(launch_spec_from_tokens(tokens)), tokens);
  EXPECT_EQ(tokens.size(), 2U * (24 + 1 + 3));  // 24 plain fields, the arms, and three options
  EXPECT_EQ(launch_spec_from_tokens(tokens).workload_options.at("path"), "a=b,c");
  EXPECT_TRUE(to_tokens(LaunchSpec{}).empty());
  EXPECT_EQ(every_field_set().world_size(), 6);
}

TEST(LaunchSpec, CountsTheImagesOfAllMicroBatches) {
  LaunchSpec spec;
  spec.nodes = spec.ranks_per_node = 2;
  spec.batch_size_per_rank = 8;
  EXPECT_EQ(spec.images_per_step(), 32);
  spec.strategy_options["accumulate"] = "3";
  EXPECT_EQ(spec.images_per_step(), 96);
}

TEST(LaunchSpec, EveryTokenIsInTheHelp) {
  const auto help = launch_spec_help();
  const auto tokens = to_tokens(every_field_set());
  for (std::size_t i = 0; i < tokens.size(); i += 2) EXPECT_THAT(help, HasSubstr(tokens[i] + " "));
}

TEST(LaunchSpec, MistakesNameTheFlag) {
  const auto read = [](const std::vector<std::string>& tokens) { return [tokens] { launch_spec_from_tokens(tokens); }; };
  EXPECT_THAT(read({"--nope", "1"}), ThrowsMessage<UsageError>(HasSubstr("'--nope'")));
  EXPECT_THAT(read({"--nodes"}), ThrowsMessage<UsageError>(HasSubstr("needs a value")));
  EXPECT_THAT(read({"--nodes", "2x"}), ThrowsMessage<UsageError>(HasSubstr("--nodes takes a number, not '2x'")));
  EXPECT_THAT(read({"--max-seconds", "nan"}), ThrowsMessage<UsageError>(HasSubstr("nan")));
  EXPECT_THAT(read({"--deterministic", "yes"}),
              ThrowsMessage<UsageError>(HasSubstr("--deterministic takes true or false, not 'yes'")));
  EXPECT_THAT(read({"--workload-option", "stem"}), ThrowsMessage<UsageError>(HasSubstr("name=value")));
}

}  // namespace
}  // namespace ddpbench
