#include "suite/contract/launch/launch_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <sstream>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::ThrowsMessage;

void set_other(std::string& value) { value = "other than '" + value + "'"; }
void set_other(std::int64_t& value) { value = -value - 1; }  // what is legal is not asked of the worker
void set_other(double& value) { value = -value - 0.1; }
void set_other(bool& value) { value = !value; }

// Axes and protocol by their tables: whoever adds a line has it tested.
LaunchSpec every_field_set() {
  LaunchSpec spec;
  for (const auto& axis : standard_axes()) {
    std::visit([&](auto member) { set_other(spec.*member); }, axis.member);
  }
  for (const auto& field : protocol_fields()) {
    if (field.reader != ProtocolReader::kRanks) continue;
    std::visit([&](auto member) { set_other(spec.protocol.*member); }, field.member);
  }
  spec.launch_id = "L0007";
  spec.cell_id = "C2";
  spec.repetition = 6;
  spec.arms = {"raw", "trainer-fetch+log"};
  spec.seed = -13;
  spec.purpose = "memory";
  spec.cases = {"all_reduce:4096", "barrier"};
  spec.profiler = "kineto";
  spec.profile_steps = "3..4";
  spec.profile_schedule = "1/1/3/2";
  spec.profile_ranks = {"0", "2"};
  spec.profile_with = {"shapes"};
  spec.data = "/data set/cifar";
  spec.part_dir = "/tmp/parts";
  spec.own_code = {{kModuleFeature, {{"mine", "/my code/a=b.py:Net"}, {"other", "/c.py:D"}}},
                   {kLoopFeature, {{"mine", "/e.py:f"}}},
                   {kLoaderFeature, {{"mine", "/g.py:h"}}},
                   {kCallbackFeature, {{"mine", "/i.py:j"}}}};
  for (const auto& group : kOptionGroups) spec.options[group.group] = {{"mode", group.name}, {"path", "a=b,c"}};
  return spec;
}

std::set<std::string> flags_of(const std::vector<std::string>& tokens) {
  std::set<std::string> flags;
  for (std::size_t i = 0; i < tokens.size(); i += 2) flags.insert(tokens[i]);
  return flags;
}

std::set<std::string> flags_in_help() {
  std::set<std::string> flags;
  std::istringstream help(launch_spec_help());
  for (std::string flag; help >> flag; help.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) flags.insert(flag);
  return flags;
}

TEST(LaunchSpec, EveryFlagOfTheHelpIsWrittenAndReadsBack) {
  const auto spec = every_field_set();
  const auto tokens = to_tokens(spec);
  EXPECT_EQ(flags_of(tokens), flags_in_help());
  const auto again = launch_spec_from_tokens(tokens);
  EXPECT_EQ(to_tokens(again), tokens);
  EXPECT_EQ(again.protocol, spec.protocol);
  for (const auto& axis : standard_axes()) {
    EXPECT_FALSE(is_default(axis, spec)) << axis.name;
    EXPECT_TRUE(same_value(axis, again, spec)) << axis.name;
  }
  EXPECT_EQ(again.arms, spec.arms);
  EXPECT_EQ(again.options, spec.options);
  EXPECT_EQ(again.own_code, spec.own_code);
}

TEST(LaunchSpec, DefaultsNeedNoTokens) {
  EXPECT_TRUE(to_tokens(LaunchSpec{}).empty());
  EXPECT_THAT(flags_in_help(),
              IsSupersetOf({"--ranks-per-node", "--margin-us", "--max-seconds-per-launch", "--workload-option"}));
}

TEST(LaunchSpec, WhatOnlyTheDriverReadsHasNoFlag) {
  EXPECT_THAT(flags_in_help(), Not(Contains("--launches")));
  EXPECT_THAT(flags_in_help(), Not(Contains("--budget-percent")));
  LaunchSpec spec;
  spec.protocol.seed = 7;  // the experiment's: --seed is the launch's own
  EXPECT_TRUE(to_tokens(spec).empty());
}

TEST(LaunchSpec, MistakesNameTheField) {
  const auto read = [](const std::vector<std::string>& tokens) { return [tokens] { launch_spec_from_tokens(tokens); }; };
  EXPECT_THAT(read({"--nope", "1"}), ThrowsMessage<UsageError>(HasSubstr("'--nope'")));
  EXPECT_THAT(read({"--nodes"}), ThrowsMessage<UsageError>(HasSubstr("needs a value")));
  EXPECT_THAT(read({"--nodes", "2x"}), ThrowsMessage<UsageError>(HasSubstr("nodes: must be an integer, not '2x'")));
  EXPECT_THAT(read({"--max-seconds-per-launch", "nan"}),
              ThrowsMessage<UsageError>(HasSubstr("max_seconds_per_launch takes a number, not 'nan'")));
  EXPECT_THAT(read({"--deterministic", "yes"}),
              ThrowsMessage<UsageError>(HasSubstr("deterministic takes true or false, not 'yes'")));
  EXPECT_THAT(read({"--workload-option", "stem"}), ThrowsMessage<UsageError>(HasSubstr("name=value")));
  EXPECT_THAT(read({"--module", "mine"}), ThrowsMessage<UsageError>(HasSubstr("NAME=FILE.py:Class")));
}

}  // namespace
}  // namespace ddpbench
