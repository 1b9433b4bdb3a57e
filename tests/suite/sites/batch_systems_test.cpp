#include "suite/sites/batch_systems.hpp"

#include <gmock/gmock.h>

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

const BatchSystem& system_of(const char* name) { return find_entry(batch_systems(), "batch system", name); }

// Some quality-of-service limits make sbatch print nothing and end with 0.
TEST(BatchSystems, AJobIsOneThatWasNumbered) {
  EXPECT_EQ(system_of("slurm").job_id("4711\n"), "4711");
  EXPECT_EQ(system_of("slurm").job_id("4711;cluster\n"), "4711");
  EXPECT_EQ(system_of("slurm").job_id(""), std::nullopt);
  EXPECT_EQ(system_of("slurm").job_id("Submitted batch job 4711\n"), std::nullopt);
  EXPECT_EQ(system_of("pbs").job_id("4711.gadi-pbs\n"), "4711.gadi-pbs");
  EXPECT_EQ(system_of("pbs").job_id("4711[].server\n"), "4711[].server");
  EXPECT_EQ(system_of("pbs").job_id("qsub: would exceed limit\n"), std::nullopt);
  EXPECT_EQ(system_of("pbs").job_id(""), std::nullopt);
}

TEST(BatchSystems, AJobMayWaitForTheEndOfOthers) {
  using testing::ElementsAre;
  EXPECT_THAT(system_of("slurm").submit("x.sh", {}), ElementsAre("sbatch", "--parsable", "x.sh"));
  EXPECT_THAT(system_of("slurm").submit("x.sh", {"1", "2"}),
              ElementsAre("sbatch", "--parsable", "--dependency=afterany:1:2", "x.sh"));
  EXPECT_THAT(system_of("pbs").submit("x.sh", {"1.s", "2[].s"}), ElementsAre("qsub", "-W", "depend=afterany:1.s:2[].s", "x.sh"));
}

TEST(BatchSystems, StatesAreReadAsPeopleSayThem) {
  EXPECT_EQ(system_of("slurm").state_in("RUNNING\n"), "RUNNING");
  EXPECT_EQ(system_of("slurm").state_in(""), "");
  EXPECT_EQ(system_of("slurm").state_in("RUNNING\nCOMPLETED\nCOMPLETED\n"), "2 COMPLETED, 1 RUNNING") << "of an array";
  EXPECT_EQ(system_of("pbs").state_in("    job_state = B\n"), "RUNNING") << "of an array";
  EXPECT_EQ(system_of("pbs").state_in("Job Id: 4711.server\n    Job_Name = x\n    job_state = R\n    queue = gpuvolta\n"),
            "RUNNING");
  EXPECT_EQ(system_of("pbs").state_in("    job_state = Q\n"), "PENDING");
  EXPECT_EQ(system_of("pbs").state_in("    job_state = S\n"), "S");
  EXPECT_EQ(system_of("pbs").state_in("    job_state = F\n"), "FINISHED") << "it says no more";
  EXPECT_EQ(system_of("pbs").state_in("    job_state = F\n    queue = q\n    Exit_status = 0\n"), "COMPLETED");
  EXPECT_EQ(system_of("pbs").state_in("    job_state = F\n    Exit_status = 75\n"), "FINISHED") << "to be continued";
  EXPECT_EQ(system_of("pbs").state_in("    job_state = F\n    Exit_status = 271\n"), "FAILED");
  EXPECT_EQ(system_of("pbs").state_in("qstat: Unknown Job Id\n"), "");
}

}  // namespace
}  // namespace ddpbench
