#include "suite/contract/processes/rank_info.hpp"

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
  EXPECT_EQ(info.source, "no launcher");
  EXPECT_EQ(info.main_address, "127.0.0.1");
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

// A plain `MASTER_ADDR=… RANK=…` by hand, as many launchers and people set it.
TEST(RankInfo, ReadsNodeRankWhereThereIsNoGroupRank) {
  Environment environment{{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"NODE_RANK", "3"}, {"MASTER_ADDR", "node7"}};
  EXPECT_EQ(info_of(environment).node_rank, 3);
  environment["GROUP_RANK"] = "1";
  EXPECT_EQ(info_of(environment).node_rank, 1);
}

TEST(RankInfo, TorchrunsOwnStoreIsNotOpenedAgain) {
  Environment environment{{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}};
  EXPECT_FALSE(info_of(environment).launcher_serves_store);
  environment["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  EXPECT_TRUE(info_of(environment).launcher_serves_store);
  environment["TORCHELASTIC_USE_AGENT_STORE"] = "False";
  EXPECT_FALSE(info_of(environment).launcher_serves_store);
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

// MPICH 4.0's and Intel MPI 2021's, in a job of Slurm's whose srun started Hydra on the node.
TEST(RankInfo, FromHydra) {
  const auto info = info_of({{"PMI_RANK", "3"},
                             {"PMI_SIZE", "4"},
                             {"MPI_LOCALRANKID", "1"},
                             {"MPI_LOCALNRANKS", "2"},
                             {"MASTER_ADDR", "node1"},
                             {"SLURM_PROCID", "1"},
                             {"SLURM_NTASKS", "2"},
                             {"SLURM_LOCALID", "0"}});
  EXPECT_EQ(info.source, "mpirun");
  EXPECT_EQ(info.rank, 3);
  EXPECT_EQ(info.world_size, 4);
  EXPECT_EQ(info.local_rank, 1);
  EXPECT_EQ(info.node_rank, 1);
  const Environment hydra{{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}};
  const auto lookup = [&](const std::string& name) {
    const auto found = hydra.find(name);
    return found == hydra.end() ? std::nullopt : std::optional(found->second);
  };
  EXPECT_EQ(rank_numbers_from(lookup, kHydraVariables).rank, 1) << "asked for by name as well";
  EXPECT_THROW(rank_numbers_from(lookup, "mpirun"), UsageError) << "Open MPI's: a shell below Hydra may have started it";
}

TEST(RankInfo, SrunThatSpeaksPmiIsSrun) {
  auto environment = kSlurm;
  environment.insert({{"PMI_RANK", "5"}, {"PMI_SIZE", "12"}});
  EXPECT_EQ(info_of(environment).source, "srun");
}

// Eight ranks, two on each of four nodes; Open MPI's NODE_RANK is the place on the node once more.
Environment mpirun_over_nodes(const std::string& rank, const std::string& local_rank) {
  return {{"OMPI_COMM_WORLD_RANK", rank},
          {"OMPI_COMM_WORLD_SIZE", "8"},
          {"OMPI_COMM_WORLD_LOCAL_RANK", local_rank},
          {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
          {"OMPI_COMM_WORLD_NODE_RANK", local_rank},
          {"MASTER_ADDR", "node1"}};
}

TEST(RankInfo, UnderMpirunTheNodeFollowsFromTheLayout) {
  EXPECT_EQ(info_of(mpirun_over_nodes("5", "1")).node_rank, 2);
  EXPECT_EQ(info_of(mpirun_over_nodes("6", "0")).node_rank, 3);
  EXPECT_EQ(info_of(mpirun_over_nodes("5", "0")).node_rank, std::nullopt) << "ranks were dealt out over the nodes in turn";
  auto untold = mpirun_over_nodes("5", "1");
  untold.erase("OMPI_COMM_WORLD_LOCAL_SIZE");
  EXPECT_EQ(info_of(untold).node_rank, std::nullopt);
}

TEST(RankInfo, RanksOnSeveralNodesMustBeToldWhereRankZeroIs) {
  auto environment = mpirun_over_nodes("0", "0");
  EXPECT_EQ(info_of(environment).main_address, "node1");
  environment.erase("MASTER_ADDR");
  EXPECT_THAT(error_of(environment), testing::AllOf(testing::HasSubstr("mpirun"), testing::HasSubstr("-x MASTER_ADDR=")));
  environment["OMPI_COMM_WORLD_SIZE"] = "2";
  EXPECT_EQ(info_of(environment).main_address, "127.0.0.1");
  const Environment by_hand{{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "0"}, {"LOCAL_WORLD_SIZE", "2"}};
  EXPECT_THAT(error_of(by_hand), testing::HasSubstr("MASTER_ADDR"));
}

TEST(RankInfo, RefusesAnotherNumberOfRanksThanIsPlanned) {
  const auto refusal = [](const Environment& environment) -> std::string {
    try {
      require_world_size(info_of(environment), 2);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}), "");
  EXPECT_THAT(refusal({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"LOCAL_RANK", "0"}}),
              testing::AllOf(testing::HasSubstr("planned for 2 ranks"), testing::HasSubstr("torchrun started 1 rank")));
  EXPECT_THAT(refusal({}), testing::AllOf(testing::HasSubstr("planned for 2 ranks"), testing::HasSubstr("WORLD_SIZE")));
}

TEST(RankInfo, RanksOfTheDriverMeetWhereItSays) {
  Environment environment{{"RANK", "1"},           {"WORLD_SIZE", "2"},
                          {"LOCAL_RANK", "1"},     {"MASTER_ADDR", "foreign"},
                          {"MASTER_PORT", "1234"}, {"DDPBENCH_STORE", "name:secret"}};
  const auto info = info_of(environment);
  ASSERT_TRUE(info.store);
  EXPECT_EQ(info.store->name, "name");
  EXPECT_EQ(info.store->secret, "secret");
  EXPECT_EQ(info.main_address, "127.0.0.1") << "all on this machine, whatever a launcher in between says";
}

TEST(RankInfo, RanksByHandOnOneMachineMeetAtASocketOfTheirUser) {
  Environment environment{
      {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "29500"}};
  const auto by_hand = info_of(environment).store;
  ASSERT_TRUE(by_hand);
  EXPECT_EQ(by_hand->name, store_address_by_hand(29500).name);
  environment["MASTER_ADDR"] = "node7";
  EXPECT_FALSE(info_of(environment).store) << "perhaps not all here";
}

TEST(RankInfo, DoesNotRepeatASecretThatItCannotRead) {
  const auto error = error_of({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}, {"DDPBENCH_STORE", "s3cret"}});
  EXPECT_THAT(error, testing::HasSubstr("DDPBENCH_STORE"));
  EXPECT_THAT(error, testing::Not(testing::HasSubstr("s3cret")));
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
      {{{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}, {"rank 2", "world size, 2"}},
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

// A step on a part of its job's nodes.
TEST(RankInfo, OfASlurmStepIsTheStepsAndNotTheJobs) {
  const auto info = info_of({{"SLURM_PROCID", "1"},
                             {"SLURM_NTASKS", "8"},
                             {"SLURM_STEP_NUM_TASKS", "2"},
                             {"SLURM_LOCALID", "0"},
                             {"SLURM_NODEID", "1"},
                             {"MASTER_ADDR", "node1"}});
  EXPECT_EQ(info.world_size, 2);
}

// torchrun's variables may be a shell's, in which somebody tried a rank by hand.
TEST(RankInfo, OfANamedLauncherIgnoresWhatAnotherSays) {
  const Environment environment{{"RANK", "7"},         {"WORLD_SIZE", "8"},    {"LOCAL_RANK", "7"},  {"SLURM_PROCID", "3"},
                                {"SLURM_NTASKS", "4"}, {"SLURM_LOCALID", "1"}, {"SLURM_NODEID", "1"}};
  const EnvironmentLookup lookup = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  const auto info = rank_numbers_from(lookup, "srun");
  EXPECT_EQ(info.rank, 3);
  EXPECT_EQ(info.world_size, 4);
  EXPECT_EQ(info.local_rank, 1);
  EXPECT_THROW(rank_numbers_from(lookup, "mpirun"), UsageError);
  EXPECT_THROW(rank_numbers_from(lookup, "carrier-pigeon"), UsageError);
}

TEST(RankInfo, OfSeveralMachinesMeetsAtTheAddressThatTheDriverSays) {
  const auto info = info_of({{"RANK", "1"},
                             {"WORLD_SIZE", "2"},
                             {"LOCAL_RANK", "0"},
                             {"MASTER_ADDR", "elsewhere"},
                             {kStoreVariable, "tcp:10.0.0.7:4711:0123abcd"},
                             {kOwnAddressVariable, "10.0.0.8"},
                             {kStoreListenerVariable, "9"}});
  ASSERT_TRUE(info.store && info.store->endpoint);
  EXPECT_EQ(info.main_address, "10.0.0.7");
  EXPECT_EQ(info.own_address, "10.0.0.8");
  EXPECT_EQ(info.store_listener, 9);
}

TEST(RankVariable, IsTheLaunchersOwn) {
  EXPECT_EQ(rank_variable("srun"), "SLURM_PROCID");
  EXPECT_EQ(rank_variable("mpirun"), "OMPI_COMM_WORLD_RANK");
  EXPECT_EQ(rank_variable(kHydraVariables), "PMI_RANK");
  EXPECT_EQ(rank_variable("local"), "RANK");
}

}  // namespace
}  // namespace ddpbench
