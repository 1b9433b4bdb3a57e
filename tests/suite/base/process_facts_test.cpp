#include "suite/base/process_facts.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

TEST(ProcessFacts, NamesTheHostAndLeavesOutWhatTheSystemDoesNotTell) {
  const auto facts = process_facts();
  EXPECT_EQ(facts.at("host"), host_name());
  EXPECT_FALSE(facts.at("kernel").empty());
  for (const auto& [name, value] : facts) EXPECT_FALSE(value.empty()) << name;
}

TEST(ProcessFacts, AllowedCoresAreThisThreads) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  const int core = sched_getcpu();
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(process_facts().at("allowed_cores"), std::to_string(core));
  sched_setaffinity(0, sizeof(before), &before);
}

}  // namespace
}  // namespace ddpbench
