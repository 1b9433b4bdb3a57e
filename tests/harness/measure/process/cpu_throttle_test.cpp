#include "harness/measure/process/cpu_throttle.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A system of its own: what /proc says of this process, and the groups' folders.
struct CpuThrottleTest : ::testing::Test {
  test::ScriptFolder root;

  void write(const std::string& path, const std::string& text) const { root.write(path, text); }
  void is_in(const std::string& groups) const { write("proc/self/cgroup", groups); }
  void has_mounts(const std::string& mounts) const { write("proc/self/mountinfo", mounts); }

  CpuThrottle throttle() const { return CpuThrottle(root.path().string()); }
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    const auto watched = throttle();
    for (const auto& file : watched.files()) found.push_back(std::filesystem::relative(file, root.path()).string());
    return found;
  }
};

constexpr const char* kVersion2 = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kVersion1 =
    "30 23 0:27 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
    "32 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "33 30 0:30 / /sys/fs/cgroup/cpuset rw,nosuid - cgroup cgroup rw,cpuset\n";

// Slurm's and systemd's way: the quota stands on the step's group, and on a slice around it.
TEST_F(CpuThrottleTest, FindsItsOwnGroupAndThoseAroundIt) {
  is_in("0::/system.slice/slurmstepd.scope/job_7/step_0\n");
  has_mounts(kVersion2);
  const std::string slurm = "sys/fs/cgroup/system.slice/slurmstepd.scope/";
  write(slurm + "job_7/step_0/cpu.stat", "usage_usec 5000000\nnr_periods 100\nnr_throttled 77\nthrottled_usec 1500000\n");
  write(slurm + "job_7/cpu.stat", "usage_usec 5000000\nnr_periods 100\nnr_throttled 2\nthrottled_usec 250000\n");
  write("sys/fs/cgroup/cpu.stat", "usage_usec 9000000\n");
  EXPECT_THAT(files(), ElementsAre(slurm + "job_7/step_0/cpu.stat", slurm + "job_7/cpu.stat", "sys/fs/cgroup/cpu.stat"));
  EXPECT_DOUBLE_EQ(throttle().seconds(), 1.75);
}

TEST_F(CpuThrottleTest, ReadsVersionOneInNanoseconds) {
  is_in("5:cpuset:/other\n4:cpu,cpuacct:/slurm/uid_1000/job_7\n1:name=systemd:/user.slice\n0::/\n");
  has_mounts(kVersion1);
  write("sys/fs/cgroup/cpu,cpuacct/slurm/uid_1000/job_7/cpu.stat", "nr_periods 9\nnr_throttled 4\nthrottled_time 2500000000\n");
  write("sys/fs/cgroup/cpuset/other/cpu.stat", "throttled_time 99000000000\n");
  EXPECT_THAT(files(), ElementsAre("sys/fs/cgroup/cpu,cpuacct/slurm/uid_1000/job_7/cpu.stat"));
  EXPECT_DOUBLE_EQ(throttle().seconds(), 2.5);
}

// Both versions at once: the controller is in version 1, version 2 has groups without counts.
TEST_F(CpuThrottleTest, ReadsBothVersionsWhereBothAreThere) {
  is_in("2:cpu:/a\n0::/b\n");
  has_mounts("1 2 0:1 / /v1 rw - cgroup cgroup rw,cpu\n3 2 0:2 / /v2 rw - cgroup2 none rw\n");
  write("v1/a/cpu.stat", "throttled_time 1000000000\n");
  write("v2/b/cpu.stat", "throttled_usec 2000000\n");
  EXPECT_DOUBLE_EQ(throttle().seconds(), 3);
}

// A container: the group's path is the host's, the mount begins at it.
TEST_F(CpuThrottleTest, ReadsWhatAContainerSees) {
  is_in("4:cpu,cpuacct:/docker/4f2a/inner\n");
  has_mounts("32 30 0:29 /docker/4f2a /sys/fs/cgroup/cpu rw master:11 - cgroup cgroup rw,cpu,cpuacct\n");
  write("sys/fs/cgroup/cpu/inner/cpu.stat", "throttled_time 1000000000\n");
  write("sys/fs/cgroup/cpu/cpu.stat", "throttled_time 2000000000\n");
  EXPECT_DOUBLE_EQ(throttle().seconds(), 3);
}

// A path that lies outside of what is mounted, with and without a name space of groups: the mount itself is the nearest.
TEST_F(CpuThrottleTest, TakesTheMountWhereItsGroupLiesOutside) {
  for (const auto* group : {"0::/../../pod/app\n", "0::/kubepods/pod_1/app\n"}) {
    is_in(group);
    has_mounts("31 23 0:28 /kubepods/pod_2 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    write("sys/fs/cgroup/cpu.stat", "throttled_usec 4000000\n");
    EXPECT_THAT(files(), ElementsAre("sys/fs/cgroup/cpu.stat")) << group;
    EXPECT_DOUBLE_EQ(throttle().seconds(), 4);
  }
}

TEST_F(CpuThrottleTest, TakesAGroupWhoseNameBeginsAsTheMountsForAnother) {
  is_in("0::/pod_11/app\n");
  has_mounts("31 23 0:28 /pod_1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  write("sys/fs/cgroup/1/app/cpu.stat", "throttled_usec 9000000\n");
  write("sys/fs/cgroup/cpu.stat", "throttled_usec 1000000\n");
  EXPECT_DOUBLE_EQ(throttle().seconds(), 1);
}

TEST_F(CpuThrottleTest, CountsNothingWhereTheSystemTellsNothing) {
  EXPECT_THAT(files(), IsEmpty());
  is_in("nonsense\n4:memory:/a\n");
  has_mounts("nonsense\n1 2\n");
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_EQ(throttle().seconds(), 0);
}

TEST_F(CpuThrottleTest, ReadsAnewEachTime) {
  is_in("0::/\n");
  has_mounts(kVersion2);
  write("sys/fs/cgroup/cpu.stat", "throttled_usec 1000000\n");
  const auto watched = throttle();
  write("sys/fs/cgroup/cpu.stat", "throttled_usec 3000000\n");
  EXPECT_DOUBLE_EQ(watched.seconds(), 3);
}

}  // namespace
}  // namespace ddpbench
