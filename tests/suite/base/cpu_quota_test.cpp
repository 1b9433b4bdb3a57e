#include "suite/base/cpu_quota.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

class CpuQuota : public testing::Test {
 protected:
  double cores() const { return cpu_quota_cores(root.path().string()); }
  test::ScriptFolder root;
};

TEST_F(CpuQuota, IsTheLeastOfTheGroupsAround) {
  root.write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  root.write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root.write("sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isnan(cores()));
  root.write("sys/fs/cgroup/slurm/job_7/cpu.max", "50000 100000\n");
  root.write("sys/fs/cgroup/slurm/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(cores(), 0.5);
}

TEST_F(CpuQuota, OfVersionOne) {
  root.write("proc/self/cgroup", "4:cpu,cpuacct:/docker\n");
  root.write("proc/self/mountinfo", "32 30 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  root.write("sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000\n");
  root.write("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "-1\n");
  EXPECT_TRUE(std::isnan(cores()));
  root.write("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "20000\n");
  EXPECT_DOUBLE_EQ(cores(), 0.2);
}

TEST_F(CpuQuota, WhereTheSystemTellsNothingThereIsNone) { EXPECT_TRUE(std::isnan(cores())); }

TEST(CpuQuotaWords, SayWhatItMeansForTheRanks) {
  EXPECT_EQ(cpu_quota_warning(std::nan(""), 2), "");
  EXPECT_EQ(cpu_quota_warning(0.2, 2),
            "the CPU quota of this control group is 0.2 cores: 2 ranks are held back, and no wall-clock figure can be trusted");
  EXPECT_EQ(cpu_quota_warning(4, 2), "the CPU quota of this control group is 4 cores");
}

}  // namespace
}  // namespace ddpbench
