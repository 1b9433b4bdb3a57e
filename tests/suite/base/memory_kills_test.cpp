#include "suite/base/memory_kills.hpp"

#include <gtest/gtest.h>

#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

struct MemoryKillsTest : ::testing::Test {
  test::ScriptFolder root;
  std::string why(const MemoryKills& before) const { return why_killed_since(before, root.path().string()); }
};

TEST_F(MemoryKillsTest, OfVersionTwoCountInTheGroupAndNameItsLimit) {
  root.write("proc/self/cgroup", "0::/slurm/job_7\n");
  root.write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root.write("proc/meminfo", "MemTotal: 24000000 kB\n");
  root.write("sys/fs/cgroup/slurm/job_7/memory.max", "524288000");
  root.write("sys/fs/cgroup/slurm/job_7/memory.events", "low 0\nhigh 0\nmax 91\noom 1\noom_kill 0\n");
  const auto before = memory_kills(root.path().string());
  EXPECT_EQ(why(before), "");
  root.write("sys/fs/cgroup/slurm/job_7/memory.events", "low 0\nhigh 0\nmax 95\noom 2\noom_kill 1\n");
  EXPECT_EQ(why(before), "for memory: the limit of its control group is 500 MiB");
}

TEST_F(MemoryKillsTest, OfVersionOneAndOfTheWholeSystem) {
  root.write("proc/self/cgroup", "4:memory:/job\n0::/\n");
  root.write("proc/self/mountinfo", "32 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  root.write("proc/meminfo", "MemTotal: 24000000 kB\n");
  root.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "367001600\n");
  root.write("sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  root.write("proc/vmstat", "nr_free_pages 7\noom_kill 3\n");
  const auto before = memory_kills(root.path().string());
  EXPECT_EQ(why(before), "");
  root.write("proc/vmstat", "nr_free_pages 7\noom_kill 4\n");
  EXPECT_EQ(why(before), "while the system killed processes for memory");
  root.write("sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
  EXPECT_EQ(why(before), "for memory: the limit of its control group is 350 MiB");
}

// The group around it counts another job's; and where nobody set a limit there is none to name.
TEST_F(MemoryKillsTest, AnotherGroupsAreNotItsOwnAndALimitThatIsNoneIsNotNamed) {
  root.write("proc/self/cgroup", "0::/slurm/job_7\n");
  root.write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  root.write("proc/meminfo", "MemTotal: 24000000 kB\n");
  root.write("sys/fs/cgroup/slurm/job_7/memory.max", "max");
  root.write("sys/fs/cgroup/slurm/job_7/memory.events", "oom_kill 0\n");
  root.write("sys/fs/cgroup/slurm/memory.events", "oom_kill 5\n");
  const auto before = memory_kills(root.path().string());
  root.write("sys/fs/cgroup/slurm/memory.events", "oom_kill 6\n");
  EXPECT_EQ(why(before), "");
  root.write("sys/fs/cgroup/slurm/job_7/memory.events", "oom_kill 1\n");
  EXPECT_EQ(why(before), "for memory: the system had none left");
}

TEST_F(MemoryKillsTest, NothingIsSaidWhereTheSystemTellsNothing) { EXPECT_EQ(why(memory_kills(root.path().string())), ""); }

}  // namespace
}  // namespace ddpbench
