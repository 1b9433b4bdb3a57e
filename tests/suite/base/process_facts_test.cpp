#include "suite/base/process_facts.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "suite/base/surroundings.hpp"
#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;

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

TEST(SteeringVariables, AreThoseOfLibrariesAndSchedulersWithoutSecrets) {
  const test::ScopedVariable steers("NCCL_DEBUG", "INFO");
  const test::ScopedVariable other("PAINT", "green");
  const test::ScopedVariable secret("SLURM_JWT", "token");
  const auto variables = steering_variables();
  EXPECT_EQ(variables.at("NCCL_DEBUG"), "INFO");
  EXPECT_EQ(variables.count("PAINT"), 0U);
  EXPECT_EQ(variables.count("SLURM_JWT"), 0U);
}

TEST(SteeringVariables, KeepsVariablesThatChangeARun) {
  const ScopedVariable threads("OMP_NUM_THREADS", "3"), other("DDPBENCH_TEST_OTHER", "x");
  const auto variables = steering_variables();
  EXPECT_EQ(variables.at("OMP_NUM_THREADS"), "3");
  EXPECT_FALSE(variables.contains("DDPBENCH_TEST_OTHER"));
}

TEST(SteeringVariables, LeavesOutWhatMpirunTellsOfEachLaunch) {
  const ScopedVariable uri("OMPI_MCA_orte_hnp_uri", "1;tcp://10.0.0.1:3"), job("OMPI_MCA_ess_base_jobid", "7");
  const ScopedVariable launch("I_MPI_HYDRA_UUID", "cb0b0000"), wait("OMPI_MCA_ess_base_wait", "1");
  const ScopedVariable transport("OMPI_MCA_btl", "tcp,self"), fabric("FI_PROVIDER", "verbs");
  const auto variables = steering_variables();
  EXPECT_FALSE(variables.contains("OMPI_MCA_orte_hnp_uri"));
  EXPECT_FALSE(variables.contains("OMPI_MCA_ess_base_jobid"));
  EXPECT_FALSE(variables.contains("I_MPI_HYDRA_UUID"));
  EXPECT_EQ(variables.at("OMPI_MCA_ess_base_wait"), "1") << "a user's";
  EXPECT_EQ(variables.at("OMPI_MCA_btl"), "tcp,self") << "the user's";
  EXPECT_EQ(variables.at("FI_PROVIDER"), "verbs");
}

TEST(SteeringVariables, KeepsNoPassToTheBatchSystem) {
  const ScopedVariable pass("SLURM_JWT", "secret"), job("SLURM_JOB_ID", "17");
  const auto variables = steering_variables();
  EXPECT_FALSE(variables.contains("SLURM_JWT"));
  EXPECT_EQ(variables.at("SLURM_JOB_ID"), "17");
}

}  // namespace
}  // namespace ddpbench
