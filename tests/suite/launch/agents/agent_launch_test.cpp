// What is an AgentLaunch's alone; what it has in common with all others: running_launch_test.cpp.
#include "suite/launch/agents/agent_launch.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <regex>

#include "suite/base/tcp.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/drive_launch.hpp"
#include "tests/suite/launch/agents/local_agents.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct AgentLaunchTest : ::testing::Test {
  test::ScriptFolder folder;
  std::vector<std::string> lines;
  LaunchSpec spec;

  void SetUp() override {
    spec.launch_id = "L0001";
    spec.ranks_per_node = 2;
    spec.protocol.hang_timeout_seconds = 20;
  }

  AgentOrder order(const std::string& body, const std::string& launcher = "") {
    const Program program{{folder.script("worker", body)}, {}, {}};
    auto agents = launcher.empty() ? test::local_agents(spec) : LaunchCommand{{"/bin/sh", "-c", launcher}};
    return {"srun", "srun", std::move(agents), rank_command(spec, program), {"node1", "node2"}};
  }

  LaunchEnd run(const AgentOrder& order) {
    SignalInbox inbox;
    AgentLaunch launch(spec, order,
                       {{[this](std::string_view source, std::string_view line) {
                           lines.push_back("[" + std::string(source) + "] " + std::string(line));
                         },
                         {}},
                        {}});
    return drive_to_end(launch, inbox);
  }

  std::string told(const std::string& launcher) { return why_broken(run(order("true", launcher))); }
};

// Of a launcher that starts another world than the planned one.
std::string agent_with(const std::string& rank, const std::string& ranks, const std::string& local_rank) {
  return "SLURM_PROCID=" + rank + " SLURM_NTASKS=" + ranks + " SLURM_LOCALID=" + local_rank + " SLURM_NODEID=0 " +
         DDPBENCH_TEST_AGENT;
}

TEST_F(AgentLaunchTest, AnotherWorldThanThePlannedOneIsTold) {
  EXPECT_THAT(told(agent_with("0", "3", "0")), HasSubstr("srun started 3 ranks, but the launch is planned for 2 ranks"));
  EXPECT_THAT(told(agent_with("0", "2", "0") + " & " + agent_with("1", "2", "0") + "; wait"),
              HasSubstr("is number 0 of its node, but with 2 ranks on each node it would be number 1"));
}

TEST_F(AgentLaunchTest, ARankThatDoesNotComeIsNamedWithItsNode) {
  spec.nodes = 2;
  spec.ranks_per_node = 1;
  spec.protocol.hang_timeout_seconds = 1;
  const auto reason = told("echo 'srun: waiting for node2' >&2; " + agent_with("0", "2", "0"));
  EXPECT_THAT(reason, HasSubstr("rank 1 on node2 did not come within 1 s"));
  EXPECT_THAT(reason, HasSubstr("srun last said: srun: waiting for node2"));
}

TEST_F(AgentLaunchTest, ALauncherThatFailsIsToldWithItsWords) {
  const auto reason = told("echo 'error: Unable to allocate resources' >&2; exit 1");
  EXPECT_THAT(reason, HasSubstr("srun ended with exit code 1; it last said: error: Unable to allocate resources"));
}

TEST_F(AgentLaunchTest, ARankWhoseAgentIsKilledIsLostAndTheOthersEnd) {
  const auto end = run(order("if [ $RANK = 1 ]; then kill -9 $PPID; fi\nexec sleep 1000"));
  EXPECT_EQ(end.first_failed, 1);
  EXPECT_THAT(why_broken(end), HasSubstr("rank 1 on"));
  EXPECT_THAT(why_broken(end), ::testing::EndsWith(" is lost: the connection to its node broke"));
}

// One who has found the port. Nothing that he says is heard, and the launch does not suffer.
TEST_F(AgentLaunchTest, WhoDoesNotKnowTheSecretIsNotHeard) {
  const auto hello = to_message(AgentHello{0, 2, 0, "elsewhere", "10.0.0.1", 1, {}});
  const auto forged = joined({agent_verb::kHello, "guessed"}, hello);
  const auto path = folder.path() / "forged";
  std::ofstream(path, std::ios::binary) << framed(forged);
  const auto forge =
      "port=${DDPBENCH_DRIVER_AT##*:}; exec 3<>/dev/tcp/127.0.0.1/$port && cat " + path.string() + " >&3; head -c 1 <&3";
  auto given = order("echo mine");
  given.agents.tokens = {"/bin/bash", "-c", forge + "\n" + given.agents.tokens.back()};
  const auto end = run(given);
  EXPECT_EQ(why_broken(end), "");
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre("[rank 0] mine", "[rank 1] mine"));
}

TEST_F(AgentLaunchTest, RanksOfSeveralNodesAreToldWhereRankZeroListens) {
  spec.nodes = 2;
  spec.ranks_per_node = 1;
  const auto both = agent_with("0", "2", "0") + " & " + agent_with("1", "2", "0") + "; wait";
  const auto end =
      run(order("echo $DDPBENCH_STORE at $MASTER_ADDR listener ${DDPBENCH_STORE_LISTENER-none} node $NODE_RANK", both));
  EXPECT_EQ(why_broken(end), "");
  ASSERT_EQ(lines.size(), 2U);
  std::sort(lines.begin(), lines.end());
  EXPECT_TRUE(std::regex_match(lines[0], std::regex(R"(\[rank 0\] tcp:.*:[0-9]+:[0-9a-f]{32} at .* listener [0-9]+ node 0)")))
      << lines[0];
  EXPECT_TRUE(std::regex_match(lines[1], std::regex(R"(\[rank 1\] tcp:.*:[0-9]+:[0-9a-f]{32} at .* listener none node 1)")))
      << lines[1];
}

TEST(AgentCommand, StandsBehindTheWordsOfTheEnvironment) {
  const Installation installation{.worker = {}, .share = {}, .program = "/opt/bin/ddpbench"};
  EXPECT_THAT(agent_command(installation), ElementsAre("/opt/bin/ddpbench", "--agent"));
  const ScopedVariable before(kNodeCommandVariable, " apptainer exec  --nv my.sif ");
  EXPECT_THAT(agent_command(installation), ElementsAre("apptainer", "exec", "--nv", "my.sif", "/opt/bin/ddpbench", "--agent"));
}

}  // namespace
}  // namespace ddpbench
