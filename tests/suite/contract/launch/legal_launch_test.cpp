#include "suite/contract/launch/legal_launch.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

LaunchSpec from(const std::vector<std::string>& further) {
  std::vector<std::string> tokens{"--workload", "resnet18_cifar10", "--arms", "raw,trainer"};
  tokens.insert(tokens.end(), further.begin(), further.end());
  return launch_spec_from_tokens(tokens);
}

std::vector<std::string> mistakes_of(const std::vector<std::string>& further) {
  try {
    legal_launch(from(further), test::test_vocabulary());
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

TEST(LegalLaunch, OptionsThatAreNotGivenHaveTheirDefaults) {
  const auto spec = legal_launch(from({"--workload-option", "stem=imagenet"}), test::test_vocabulary());
  EXPECT_EQ(spec.options[OptionGroup::kWorkload], (Options{{"stem", "imagenet"}, {"data", "cifar"}}));
  EXPECT_EQ(spec.options[OptionGroup::kStrategy].at("bucket_cap_mb"), "25");
  EXPECT_EQ(to_tokens(legal_launch(spec, test::test_vocabulary())), to_tokens(spec)) << "what the driver sends stays as it is";
}

TEST(LegalLaunch, SizesAndKeysOfTheProtocolHaveTheirBounds) {
  EXPECT_THAT(mistakes_of({"--batch-size-per-rank", "0"}), Contains("batch_size_per_rank = '0': must be from 1 to 1000000"));
  EXPECT_THAT(mistakes_of({"--ranks-per-node", "-3"}), Contains(HasSubstr("ranks_per_node = '-3': must be from 1")));
  EXPECT_THAT(mistakes_of({"--block-steps", "0"}), Contains(HasSubstr("block_steps = '0': must be from 1")));
  EXPECT_THAT(mistakes_of({"--max-super-blocks", "3"}), Contains(HasSubstr("less than min_super_blocks")));
  EXPECT_THAT(mistakes_of({"--purpose", "speed"}),
              Contains("--purpose 'speed': must be one of time, memory, training, profile, check, nodes, collectives"));
  EXPECT_THAT(mistakes_of({"--purpose", "memory", "--arms", "raw,trainer"}),
              Contains("--purpose memory takes one arm, as in --arms raw"));
  EXPECT_THAT(mistakes_of({"--cases", "barrier"}), Contains("--cases are for --purpose collectives"));
  EXPECT_THAT(mistakes_of({"--profiler", "kineto"}), Contains("--profiler is for --purpose profile"));
  EXPECT_THAT(mistakes_of({"--purpose", "profile", "--profiler", "kineto", "--profile-steps", "1..3"}),
              Contains(HasSubstr("profile_steps = '1..3': must be FIRST..LAST")));
  EXPECT_THAT(mistakes_of({"--purpose", "profile", "--profiler", "kineto", "--profile-schedule", "1/1/0/2"}),
              Contains(HasSubstr("--schedule (profile_schedule) '1/1/0/2': must be WAIT/WARMUP/ACTIVE/REPEAT")));
  EXPECT_THAT(mistakes_of({"--purpose", "profile", "--profiler", "kineto"}), IsEmpty());
  EXPECT_THAT(mistakes_of({"--purpose", "collectives", "--cases", "allreduce:4"}),
              testing::AllOf(Contains(HasSubstr("unknown arm 'raw' (known: gloo, ")),
                             Contains(HasSubstr("unknown collective 'allreduce'"))));
}

TEST(LegalLaunch, NamesAndOptionsAreThoseOfTheTables) {
  EXPECT_THAT(mistakes_of({"--workload", "resnet51"}), Contains(HasSubstr("workload = 'resnet51': must be one of null")));
  EXPECT_THAT(mistakes_of({"--arms", "raw,trainr"}), Contains(HasSubstr("unknown arm 'trainr'")));
  EXPECT_THAT(mistakes_of({"--workload-option", "stam=cifar"}),
              Contains(HasSubstr("unknown workload option 'stam' (known: stem, data)")));
  EXPECT_THAT(mistakes_of({"--strategy-option", "bucket_cap_mb=0"}),
              Contains(HasSubstr("bucket_cap_mb = '0': must be from 0.1 to 1000")));
  EXPECT_THAT(mistakes_of({}), IsEmpty());
  EXPECT_THAT(mistakes_of({"--batch-size-per-rank", "0", "--nodes", "0"}), SizeIs(2)) << "all at once";
}

}  // namespace
}  // namespace ddpbench
