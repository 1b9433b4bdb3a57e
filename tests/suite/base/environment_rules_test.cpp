#include "suite/base/environment_rules.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;

TEST(SteeringVariables, AreThoseOfLibrariesAndSchedulersWithoutSecrets) {
  const ScopedVariable steers("NCCL_DEBUG", "INFO");
  const ScopedVariable other("PAINT", "green");
  const ScopedVariable secret("SLURM_JWT", "token");
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

TEST(SteeringVariables, KeepsThoseByWhichAProfilerComesIn) {
  const ScopedVariable nvtx("NVTX_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so"), kineto("KINETO_USE_DAEMON", "1");
  const ScopedVariable session("NSYS_PROFILING_SESSION_ID", "4711");
  const auto variables = steering_variables();
  EXPECT_EQ(variables.at("NVTX_INJECTION64_PATH"), "/opt/nsys/libToolsInjection64.so");
  EXPECT_EQ(variables.at("KINETO_USE_DAEMON"), "1");
  EXPECT_FALSE(variables.contains("NSYS_PROFILING_SESSION_ID")) << "another for each rank";
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

// The first rule that fits decides: one behind a rule that fits all of its names would never be asked.
TEST(Steering, EveryRuleCanDecide) {
  std::set<std::string_view> names;
  for (const auto& rule : steering_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_EQ(policy_of(rule.name), rule.policy) << rule.name;
  }
}

TEST(Steering, NothingThatBindsOrCountsThreadsReachesAProcess) {
  for (const auto* name :
       {"OMP_PROC_BIND", "OMP_PLACES", "OMP_THREAD_LIMIT", "GOMP_CPU_AFFINITY", "KMP_AFFINITY", "MKL_NUM_THREADS", "PET_NNODES"})
    for (const auto* program : {"ddpbench-worker", "python3", "srun", "sbatch"})
      EXPECT_FALSE(is_handed_on(name, program)) << name;
  EXPECT_TRUE(is_handed_on("NCCL_DEBUG", "ddpbench-worker"));
  EXPECT_TRUE(is_handed_on("OMP_WAIT_POLICY", "ddpbench-worker"));
  EXPECT_TRUE(is_handed_on("HOME", "srun"));
}

// "SLURM_MEM_PER_CPU, SLURM_MEM_PER_GPU, and SLURM_MEM_PER_NODE are mutually exclusive"
TEST(Steering, NoOptionOfAJobOrSessionBecomesOneOfAStep) {
  for (const auto* name :
       {"SLURM_MEM_PER_CPU", "SLURM_MEM_PER_NODE", "SLURM_NTASKS_PER_NODE", "SLURM_HINT", "SRUN_CPUS_PER_TASK"}) {
    EXPECT_FALSE(is_handed_on(name, "srun")) << name;
    EXPECT_FALSE(is_handed_on(name, "mpirun")) << name;
  }
  for (const auto* name : {"SLURM_JOB_ID", "SLURM_CONF", "SLURM_JOB_NODELIST", "SLURM_CPUS_PER_TASK"})
    EXPECT_TRUE(is_handed_on(name, "srun")) << name;
}

TEST(Steering, AJobBeginsWithoutTheVariablesOfTheSessionThatSubmitsIt) {
  for (const auto* name : {"SLURM_JOB_ID", "SLURM_MEM_PER_CPU", "SLURM_NTASKS", "SLURM_PROCID", "SBATCH_PARTITION", "PMIX_RANK",
                           "OMPI_COMM_WORLD_RANK"}) {
    EXPECT_FALSE(is_handed_on(name, "sbatch")) << name;
    EXPECT_FALSE(is_handed_on(name, "qsub")) << name;
  }
  for (const auto* name :
       {"SLURM_MPI_TYPE", "I_MPI_HYDRA_BOOTSTRAP", "SLURM_CONF", "SLURM_CLUSTERS", "SLURM_JWT", "PATH", "NCCL_DEBUG", "DSDIR"})
    EXPECT_TRUE(is_handed_on(name, "sbatch")) << name;
}

TEST(Steering, WhatALauncherTellsEachTaskIsNoFact) {
  const ScopedVariable task("SLURM_TASK_PID", "17"), all("SLURM_GTIDS", "0,1"), rank("SLURM_PROCID", "1"),
      job("SLURM_JOB_ID", "9");
  const auto variables = steering_variables();
  for (const auto* name : {"SLURM_TASK_PID", "SLURM_GTIDS", "SLURM_PROCID"}) EXPECT_FALSE(variables.contains(name)) << name;
  EXPECT_TRUE(variables.contains("SLURM_JOB_ID"));
}

TEST(Steering, WhatIsWithheldIsTold) {
  const ScopedVariable bind("OMP_PROC_BIND", "true"), nodes("PET_NNODES", "4");
  EXPECT_EQ(withheld_variables().at("OMP_PROC_BIND"), "true");
  EXPECT_EQ(withheld_variables().at("PET_NNODES"), "4");
  EXPECT_FALSE(steering_variables().contains("OMP_PROC_BIND"));
  EXPECT_EQ(variables_of(EnvironmentPolicy::kCleared).size(),
            withheld_variables().size() - variables_of(EnvironmentPolicy::kOfTorchrun).size());
}

}  // namespace
}  // namespace ddpbench
