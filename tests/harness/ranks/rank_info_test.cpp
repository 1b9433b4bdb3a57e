#include "harness/ranks/rank_info.hpp"

#include <gmock/gmock.h>

#include <map>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Environment = std::map<std::string, std::string>;

RankInfo info_of(const Environment& environment) {
  return rank_info_from([&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string error_of(const Environment& environment) {
  try {
    info_of(environment);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RankInfo, WithoutALauncherASingleProcess) {
  const auto info = info_of({});
  EXPECT_EQ(info.rank, 0);
  EXPECT_EQ(info.world_size, 1);
  EXPECT_EQ(info.source, "single process");
}

TEST(RankInfo, FromTorchrun) {
  const auto info = info_of({{"RANK", "5"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"GROUP_RANK", "1"},
                             {"MASTER_ADDR", "node7"},
                             {"MASTER_PORT", "29501"}});
  EXPECT_EQ(info.rank, 5);
  EXPECT_EQ(info.local_rank, 1);
  EXPECT_EQ(info.node_rank, 1);
  EXPECT_EQ(info.main_address, "node7");
  EXPECT_EQ(info.main_port, 29501);
}

const Environment kSlurm{{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "12"},   {"SLURM_LOCALID", "2"},
                         {"SLURM_NODEID", "1"}, {"SLURM_JOB_ID", "1234"}, {"SLURM_STEP_NODELIST", "jean-zay-a[101-104]"}};

TEST(RankInfo, FromSrunTheLocalRankIsLocalidNeverProcid) {
  const auto info = info_of(kSlurm);
  EXPECT_EQ(info.rank, 5);
  EXPECT_EQ(info.local_rank, 2);
  EXPECT_EQ(info.node_rank, 1);
  EXPECT_EQ(info.main_address, "jean-zay-a101");
  EXPECT_GT(info.main_port, 1024);
}

TEST(RankInfo, TorchrunInsideSrunWins) {
  auto environment = kSlurm;
  environment.insert({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}});
  EXPECT_EQ(info_of(environment).source, "torchrun");
}

TEST(RankInfo, FromMpirun) {
  const auto info = info_of({{"OMPI_COMM_WORLD_RANK", "1"},
                             {"OMPI_COMM_WORLD_SIZE", "2"},
                             {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                             {"MASTER_PORT", "30000"}});
  EXPECT_EQ(info.rank, 1);
  EXPECT_EQ(info.world_size, 2);
  EXPECT_EQ(info.source, "mpirun");
}

TEST(RankInfo, OnlyRankZeroTakesTheListeningSocket) {
  Environment environment{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}, {"DDPBENCH_STORE_FD", "7"}};
  EXPECT_EQ(info_of(environment).store_fd, 7);
  environment["RANK"] = environment["LOCAL_RANK"] = "1";
  EXPECT_FALSE(info_of(environment).store_fd.has_value());
}

struct Bad {
  Environment environment;
  std::vector<std::string> words;
};

TEST(RankInfo, NamesTheVariableThatIsWrong) {
  using testing::HasSubstr;
  const std::vector<Bad> cases{
      {{{"RANK", "0"}, {"LOCAL_RANK", "0"}}, {"torchrun", "WORLD_SIZE"}},
      {{{"RANK", "x"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}, {"RANK", "'x'"}},
      {{{"RANK", "-1"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}, {"RANK", "-1"}},
      {{{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}, {"rank 2", "world size 2"}},
      {{{"RANK", "0"}, {"WORLD_SIZE", "0"}, {"LOCAL_RANK", "0"}}, {"world size"}},
      {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "1"}}, {"local rank"}},
      {{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}}, {"srun", "SLURM_LOCALID"}},
      {{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}, {"MASTER_PORT", "70000"}}, {"MASTER_PORT", "70000"}},
  };
  for (const auto& bad : cases) {
    for (const auto& word : bad.words) EXPECT_THAT(error_of(bad.environment), HasSubstr(word));
  }
}

TEST(FirstHost, ReadsSlurmsHostLists) {
  EXPECT_EQ(first_host("node1"), "node1");
  EXPECT_EQ(first_host("node1,node2"), "node1");
  EXPECT_EQ(first_host("node[03-07,9]"), "node03");
  EXPECT_EQ(first_host("node[5,9]"), "node5");
  EXPECT_EQ(first_host("login1,node[5,9]"), "login1");
}

}  // namespace
}  // namespace ddpbench
