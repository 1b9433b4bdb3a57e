#include "suite/launch/launchers/launchers.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/mpirun_kind.hpp"
#include "suite/launch/machines/host_list.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/shell_text.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

LaunchSpec three_ranks() {
  LaunchSpec spec;
  spec.launch_id = "L0002";
  spec.workload = "null";
  spec.arms = {"raw", "trainer"};
  spec.ranks_per_node = 3;
  spec.protocol.threads_per_rank = 2;
  spec.part_dir = "/results/parts/L0002";
  return spec;
}

const Launcher& launcher(std::string_view name) { return find_entry(launchers(), "launcher", name); }

const Program kWorker{{"/opt/worker"}, {{"NOTE", "x"}}, {}};

TEST(LocalLauncher, StartsOneProcessPerRankAndTellsEachWhoItIs) {
  const auto command = launcher("local").command(three_ranks(), kWorker);
  EXPECT_EQ(command.copies, 3);
  EXPECT_THAT(command.numbered, UnorderedElementsAre("RANK", "LOCAL_RANK"));
  EXPECT_THAT(command.environment,
              IsSupersetOf({Pair("WORLD_SIZE", "3"), Pair("LOCAL_WORLD_SIZE", "3"), Pair("NODE_RANK", "0"),
                            Pair("MASTER_ADDR", "127.0.0.1"), Pair("OMP_NUM_THREADS", "2"), Pair("NOTE", "x")}));
  EXPECT_THAT(command.environment, Contains(Pair("MASTER_PORT", "29500"))) << "so that a person can run it as it is printed";
}

TEST(LocalLauncher, ARankThatIsAloneTakesAnyPort) {
  auto spec = three_ranks();
  spec.ranks_per_node = 1;
  EXPECT_THAT(launcher("local").command(spec, kWorker).environment, Contains(Pair("MASTER_PORT", "0")));
}

TEST(TorchrunLauncher, StartsOneProcessForAllRanks) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  const auto command = launcher("torchrun").command(three_ranks(), kWorker);
  EXPECT_EQ(command.copies, 1);
  EXPECT_THAT(std::vector(command.tokens.begin(), command.tokens.begin() + 4),
              ElementsAre("/opt/python", "-P", "-m", "torch.distributed.run"));
  EXPECT_THAT(command.tokens, Contains("store_type=file")) << "else it opens a port on which anybody may hand it Python objects";
  EXPECT_THAT(command.tokens, ::testing::Not(Contains("--standalone")));
  const auto ranks = std::find(command.tokens.begin(), command.tokens.end(), "--nproc-per-node");
  ASSERT_NE(ranks, command.tokens.end());
  EXPECT_EQ(ranks[1], "3");
  EXPECT_THAT(command.environment, IsSupersetOf({Pair("OMP_NUM_THREADS", "2"), Pair("NOTE", "x")}));
}

TEST(TorchrunLauncher, SaysWhyItIsNotAvailable) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/bin/false");
  try {
    require_available(launcher("torchrun"), {}, {});
    FAIL() << "available";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("launcher 'torchrun' is not available here: /bin/false has no torch"));
  }
}

const Program kOnNodes{{"/opt/worker"}, {{"NOTE", "x"}}, {}, {"a", "b", "c"}};

LaunchSpec on_two_nodes(std::int64_t repetition) {
  auto spec = three_ranks();
  spec.nodes = 2;
  spec.repetition = repetition;
  return spec;
}

TEST(SrunLauncher, StartsATaskForEachRankOnSomeOfTheNodes) {
  const auto command = launcher("srun").command(on_two_nodes(0), kOnNodes);
  EXPECT_EQ(command.copies, 1);
  EXPECT_THAT(command.tokens,
              IsSupersetOf({"--nodes=2", "--ntasks=6", "--ntasks-per-node=3", "--nodelist=a,b", "--cpu-bind=none"}));
  EXPECT_THAT(command.environment, IsSupersetOf({Pair("OMP_NUM_THREADS", "2"), Pair("NOTE", "x")}));
}

TEST(MpirunLauncher, StartsAProcessForEachRankOnSomeOfTheNodes) {
  const auto text = shell_text(launcher("mpirun").command(on_two_nodes(0), kOnNodes));
  EXPECT_THAT(text, HasSubstr(" -np 6 --host a:3,b:3 --map-by ppr:3:node "));
  EXPECT_THAT(text, HasSubstr(" -x MASTER_ADDR=a -x NOTE -x OMP_NUM_THREADS /opt/worker "));
}

// As MPICH 4.0.2, Intel MPI 2021 and Open MPI 4.1.4 begin what they say.
TEST(MpirunKind, IsTakenFromWhatItSaysOfItself) {
  EXPECT_EQ(mpirun_kind_in("HYDRA build details:\n    Version:                                 4.0.2\n"), MpirunKind::kHydra);
  EXPECT_EQ(mpirun_kind_in("Intel(R) MPI Library for Linux* OS, Version 2021.11 Build 20231005\n"), MpirunKind::kHydra);
  EXPECT_EQ(mpirun_kind_in("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/\n"), MpirunKind::kOpenMpi);
  EXPECT_EQ(mpirun_kind_in(""), MpirunKind::kOpenMpi);
}

TEST(MpirunLauncher, SpeaksToHydraInItsOwnWords) {
  test::ScriptFolder folder;
  folder.script("mpirun", "echo 'HYDRA build details:'\n");
  const test::ScopedVariable path("PATH", folder.path().string() + ":/usr/bin:/bin");
  const auto text = shell_text(launcher("mpirun").command(on_two_nodes(0), kOnNodes));
  EXPECT_THAT(text,
              HasSubstr("/mpirun -np 6 -hosts a,b -ppn 3 -genv I_MPI_PIN 0 -genv MV2_ENABLE_AFFINITY 0 -genv MASTER_ADDR a "));
  EXPECT_THAT(launcher("mpirun").command(on_two_nodes(0), kOnNodes).environment,
              IsSupersetOf({Pair("I_MPI_JOB_RESPECT_PROCESS_PLACEMENT", "0"), Pair("NOTE", "x")}));
}

TEST(MpirunLauncher, OneThatDoesNotAnswerIsNotAvailable) {
  test::ScriptFolder folder;
  folder.script("mpirun", "exit 3\n");
  const test::ScopedVariable path("PATH", folder.path().string() + ":/usr/bin:/bin");
  EXPECT_THAT(launcher("mpirun").why_not({}, {}), HasSubstr("mpirun --version ended with exit code 3"));
  EXPECT_THAT(shell_text(launcher("mpirun").command(on_two_nodes(0), kOnNodes)), HasSubstr(" --map-by ")) << "shown all the same";
}

TEST(SrunLauncher, TakesTheSitesWayToReachMpi) {
  auto over_mpi = on_two_nodes(0);
  over_mpi.backend = "mpi";
  EXPECT_THAT(launcher("srun").command(over_mpi, kOnNodes).tokens, Contains("--mpi=pmix"));
  const test::ScopedVariable type("SLURM_MPI_TYPE", "pmi2");
  EXPECT_THAT(launcher("srun").command(over_mpi, kOnNodes).tokens, Contains("--mpi=pmi2"));
  EXPECT_THAT(launcher("srun").command(on_two_nodes(0), kOnNodes).tokens, Contains("--mpi=none"));
}

TEST(SshLauncher, StartsOneClientForEachNodeAndQuotesForBothShells) {
  const test::ScopedVariable path("PATH", "/usr/bin:/bin");
  auto program = kOnNodes;
  program.tokens = {"/opt/my worker"};
  const auto command = launcher("ssh").command(on_two_nodes(0), program);
  EXPECT_THAT(command.environment, IsSupersetOf({Pair("MASTER_ADDR", "a"), Pair("NOTE", "x"), Pair("OMP_NUM_THREADS", "2")}));
  const auto text = shell_text(command);
  EXPECT_THAT(text, HasSubstr("nodes=(a b); "));
  EXPECT_THAT(text, HasSubstr(" -o BatchMode=yes "));
  EXPECT_THAT(text, HasSubstr(" --node 2 3 '/opt/my worker' --"));
}

TEST(SshLauncher, WithoutNodesSaysHowToNameThem) {
  EXPECT_THAT(launcher("ssh").why_not({}, {}), ::testing::AnyOf(HasSubstr("give --hosts NODE,NODE"), HasSubstr("not in $PATH")));
  EXPECT_THAT(shell_text(launcher("ssh").command(on_two_nodes(0), kWorker)), HasSubstr("nodes=(HOST1 HOST2); "));
}

TEST(PbsdshLauncher, CountsThePlacesOfTheNodeFile) {
  test::ScriptFolder folder;
  const auto file = folder.write("nodes", "a\na\nb\nb\nc\nc\n");
  const test::ScopedVariable node_file("PBS_NODEFILE", file);
  const auto text = shell_text(launcher("pbsdsh").command(on_two_nodes(1), kOnNodes));
  EXPECT_THAT(text, HasSubstr("nodes=(0 4); "));
}

TEST(TorchrunLauncher, OnNodesItIsStartedOnceOnEach) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python"), job("SLURM_JOB_ID", "");
  const auto text = shell_text(launcher("torchrun").command(on_two_nodes(0), kOnNodes));
  EXPECT_THAT(text,
              HasSubstr(" --node 2 1 /opt/python -P -m torch.distributed.run --nnodes 2 --nproc-per-node 3 --master-addr a "));
}

TEST(Allocation, OfPbsIsItsNodeFile) {
  test::ScriptFolder folder;
  const auto file = folder.write("nodes", "a\na\nb\nb\n");
  const test::ScopedVariable slurm("SLURM_JOB_ID", ""), job("PBS_JOBID", "17.server"), node_file("PBS_NODEFILE", file);
  const auto allocation = find_allocation();
  EXPECT_EQ(allocation.job, "PBS job 17.server");
  EXPECT_THAT(allocation.hosts, ElementsAre("a", "b"));
}

// The reason why a study of two nodes would start on one.
TEST(Allocation, OfPbsWhoseNodesOrLauncherAreMissingSaysSo) {
  test::ScriptFolder folder;
  const test::ScopedVariable slurm("SLURM_JOB_ID", ""), job("PBS_JOBID", "17.server"), path("PATH", "/nowhere");
  const auto why = [] { return availability_from(std::nullopt, "local", find_allocation()).why_this_launcher; };
  {
    const test::ScopedVariable file("PBS_NODEFILE", folder.write("nodes", "a\nb\n"));
    EXPECT_EQ(why(), "PBS job 17.server has 2 nodes; pbsdsh is not in $PATH; --launcher ssh or mpirun starts ranks on them");
  }
  {
    const test::ScopedVariable file("PBS_NODEFILE", "/nowhere/nodes");
    EXPECT_THAT(why(), AllOf(HasSubstr("PBS job 17.server: $PBS_NODEFILE: "), HasSubstr("/nowhere/nodes"),
                             HasSubstr("--hosts NODE,NODE names them")));
  }
  const test::ScopedVariable file("PBS_NODEFILE", "/dev/zero");
  EXPECT_THAT(why(), HasSubstr("/dev/zero")) << "and does not read it for ever";
  EXPECT_EQ(availability_from(std::nullopt, "ssh", find_allocation("a,b")).why_this_launcher, "");
}

// pbsdsh would take a name for place 0, and start all ranks on one node.
TEST(PbsdshLauncher, StartsNothingOnANodeThatIsNotTheJobs) {
  test::ScriptFolder folder;
  const test::ScopedVariable node_file("PBS_NODEFILE", folder.write("nodes", "a.example.org\n"));
  EXPECT_THROW(launcher("pbsdsh").start(on_two_nodes(0), kOnNodes, {}), CannotRun);
}

// As Open MPI, Hydra, PBS, editors and people write them.
TEST(Hosts, AreReadAsOtherToolsReadThem) {
  const auto names = [](const std::string& text) { return hosts_in(text, "it"); };
  EXPECT_THAT(names("a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(names(" a , b "), ElementsAre("a", "b"));
  EXPECT_THAT(names("# the nodes\na slots=2 max_slots=4\n\nb:2\t# fast\r\n  c \r\n"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(names("\xEF\xBB\xBF"
                    "a\na\nb"),
              ElementsAre("a", "a", "b"));
  EXPECT_THROW(names("# none\n"), UsageError);
  EXPECT_THROW(names("a,b:x"), UsageError);
  try {
    names(std::string(100'000, '?'));
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_LT(std::string(error.what()).size(), 1000U);
  }
}

TEST(Allocation, TheUsersNodesComeFirst) {
  test::ScriptFolder folder;
  EXPECT_THAT(find_allocation("n1,n2,n1").hosts, ElementsAre("n1", "n2"));
  EXPECT_THAT(find_allocation(folder.write("nodes", "n3\n\nn4\n")).hosts, ElementsAre("n3", "n4"));
  EXPECT_THROW(find_allocation(folder.write("empty", "")), UsageError);
  EXPECT_THROW(find_allocation("me@n1"), UsageError) << "a name is an address, too: ~/.ssh/config knows the user";
  try {
    find_allocation("n1,$(reboot)");
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'$(reboot)' is no name of a node; must be NODE,NODE or a file"));
  }
}

// In a container inside a job.
TEST(Allocation, WithoutSlurmsProgramsKeepsToThisMachine) {
  const test::ScopedVariable job("SLURM_JOB_ID", "4711"), nodes("SLURM_JOB_NODELIST", "node[1-2]"), path("PATH", "/nowhere");
  const auto allocation = find_allocation();
  EXPECT_EQ(allocation.job, "Slurm job 4711");
  EXPECT_THAT(allocation.hosts, ::testing::IsEmpty());
  EXPECT_EQ(default_launcher(allocation), "local");
}

TEST(Hosts, OfRepetitionsTakeTurnsAndStayInTheirOrder) {
  EXPECT_THAT(hosts_of(on_two_nodes(0), kOnNodes.hosts), ElementsAre("a", "b"));
  EXPECT_THAT(hosts_of(on_two_nodes(1), kOnNodes.hosts), ElementsAre("a", "c"));
  EXPECT_THAT(hosts_of(on_two_nodes(2), kOnNodes.hosts), ElementsAre("b", "c"));
  EXPECT_THAT(hosts_of(on_two_nodes(0), {}), ::testing::IsEmpty());
}

class EveryLauncher : public ::testing::TestWithParam<Launcher> {};
INSTANTIATE_TEST_SUITE_P(All, EveryLauncher, ::testing::ValuesIn(launchers().begin(), launchers().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(EveryLauncher, HandsOverTheWholeSpecification) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  const auto tokens = GetParam().command(three_ranks(), kWorker).tokens;
  const auto worker = std::find(tokens.begin(), tokens.end(), "/opt/worker");
  ASSERT_NE(worker, tokens.end());
  EXPECT_EQ(std::vector(worker + 1, tokens.end()), to_tokens(three_ranks()));
}

TEST_P(EveryLauncher, RefusesAMistakeInItsOptionsBeforeAnythingStarts) {
  if (GetParam().options.empty()) GTEST_SKIP() << "it has none";
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  auto spec = on_two_nodes(0);
  spec.options[OptionGroup::kLauncher]["ports"] = "80000";
  EXPECT_THROW(GetParam().command(spec, kOnNodes), UsageError);
}

TEST_P(EveryLauncher, NamesFoldersThatAPersonHasInItsPasteableCommand) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  const auto text = pasteable_command(GetParam(), three_ranks(), kWorker, "/data/cifar10");
  EXPECT_THAT(text, HasSubstr(" --part-dir ddpbench-parts/L0002"));
  EXPECT_THAT(text, HasSubstr(" --data /data/cifar10"));
}

TEST(ShellText, QuotesWhatAShellWouldTakeApart) {
  const LaunchCommand command{{"/a b/worker", "--data", "it's", ""}, {{"RANK", "0"}, {"NOTE", "x;y"}}};
  EXPECT_EQ(shell_text(command), "NOTE='x;y' RANK=0 '/a b/worker' --data 'it'\\''s' ''");
}

TEST(ShellText, WhatATableWouldLoseOrATerminalObeyIsEscaped) {
  LaunchCommand command;
  command.tokens = {"/usr/bin/printf", "%s|", "r$(exit 9)", "a\nb", "\033[2J", "\xff'\\", "±"};
  const auto text = shell_text(command);
  EXPECT_EQ(text, "/usr/bin/printf '%s|' 'r$(exit 9)' $'a\\x0ab' $'\\x1b[2J' $'\\xff\\'\\\\' '±'");
  EXPECT_EQ(run_captured({{"/bin/bash", "-c", text}, {}, {}, {}}, 60).out, "r$(exit 9)|a\nb|\033[2J|\xff'\\|±|");
}

CapturedRun pasted(const LaunchCommand& command) {
  return run_captured({{"/bin/sh", "-c", shell_text(command)}, {}, {}, {}}, 60);
}

TEST(ShellText, RunsEveryProcessAndWaitsForAll) {
  LaunchCommand command{{"/bin/sh", "-c", "[ $RANK = 2 ] || sleep 0.2; echo $NOTE$RANK"}, {{"NOTE", "a b"}}, 3, {"RANK"}};
  const auto run = pasted(command);
  EXPECT_EQ(run.exit_code, 0);
  for (const auto* line : {"a b0\n", "a b1\n", "a b2\n"}) EXPECT_THAT(run.out, HasSubstr(line));
}

TEST(ShellText, FailsWithItsLastProcess) { EXPECT_EQ(pasted({{"/bin/sh", "-c", "exit $RANK"}, {}, 3, {"RANK"}}).exit_code, 2); }

TEST(Launchers, ThoseThatStartNoMpiSayWhichDo) {
  for (const auto& launcher : launchers()) {
    Availability availability;
    add_limits(launcher, availability);
    const bool starts_mpi = launcher.name == "srun" || launcher.name == "mpirun";
    EXPECT_EQ(availability.why_not.empty(), starts_mpi) << launcher.name;
    if (starts_mpi) continue;
    EXPECT_EQ(availability.why_not.at("backend").at("mpi"),
              "launcher '" + std::string(launcher.name) + "' cannot start MPI processes; --launcher srun or mpirun can");
  }
}

}  // namespace
}  // namespace ddpbench
