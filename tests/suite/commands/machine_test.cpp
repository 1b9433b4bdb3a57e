#include "suite/commands/machine.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;

TEST(Machine, KeepsVariablesThatChangeARun) {
  const ScopedVariable threads("OMP_NUM_THREADS", "3"), other("DDPBENCH_TEST_OTHER", "x");
  const auto variables = relevant_variables();
  EXPECT_EQ(variables.at("OMP_NUM_THREADS"), "3");
  EXPECT_FALSE(variables.contains("DDPBENCH_TEST_OTHER"));
}

TEST(Machine, KeepsNoPassToTheBatchSystem) {
  const ScopedVariable pass("SLURM_JWT", "secret"), job("SLURM_JOB_ID", "17");
  const auto variables = relevant_variables();
  EXPECT_FALSE(variables.contains("SLURM_JWT"));
  EXPECT_EQ(variables.at("SLURM_JOB_ID"), "17");
}

TEST(Machine, KnowsItsCores) { EXPECT_GE(machine_facts().at("allowed_cores"), 1); }

}  // namespace
}  // namespace ddpbench
