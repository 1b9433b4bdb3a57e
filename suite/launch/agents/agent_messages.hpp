#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/base/node_layout.hpp"
#include "suite/contract/processes/stream_message.hpp"
#include "suite/launch/supervision/process_activity.hpp"

namespace ddpbench {

// Defines what the driver and the agent beside a rank say to each other, over a connection that the agent opens. The first word
// of a message says what it is.

// Name the variables by which an agent knows where its driver is, the launch's secret, and whose variables say which rank it is
// beside. A launcher hands the environment on, and no command line shows it.
inline constexpr const char* kDriverAtVariable = "DDPBENCH_DRIVER_AT";    // "node1:4711 10.0.0.1:4711": to be tried in turn
inline constexpr const char* kSecretVariable = "DDPBENCH_LAUNCH_SECRET";  // 32 hexadecimal digits
inline constexpr const char* kLauncherVariable = "DDPBENCH_LAUNCHER";     // "srun"

// Says how ranks are to meet, as options of the launcher: "address_family=ipv6;interface=ib0;ports=20000-20100".
inline constexpr const char* kMeetByVariable = "DDPBENCH_MEET_BY";

// Names the messages, by their first words.
namespace agent_verb {
inline constexpr const char* kHello = "ddpbench-agent-1";          // the agent's first: secret, then an AgentHello
inline constexpr const char* kUnable = "ddpbench-agent-1-cannot";  // in its place: secret, and why ranks cannot meet at this node
inline constexpr const char* kStart = "start";                     // the driver's: an AgentStart
inline constexpr const char* kActivity = "activity";               // the agent's, every `look_seconds`: a ProcessActivity
inline constexpr const char* kOut = "out";                         // the agent's: a line of the rank's standard output
inline constexpr const char* kErr = "err";                         // and of its standard error
inline constexpr const char* kPart = "part";                       // the agent's: a piece of a part file (local_parts.hpp)
inline constexpr const char* kEnded =
    "ended";  // the agent's last: exit code, signal, whether it was asked to end (1 or 0), why the system killed it
inline constexpr const char* kFailed = "failed";        // in its place: why the rank could not be started
inline constexpr const char* kStack = "stack";          // the driver's: the rank is asked where it stands (kStackSignal)
inline constexpr const char* kTerminate = "terminate";  // the driver's: the rank is asked to end (SIGTERM)
inline constexpr const char* kKill = "kill";            // the driver's: the rank ends at once
}  // namespace agent_verb

// Says who an agent is, and where.
struct AgentHello {
  std::int64_t rank = 0, world_size = 1, local_rank = 0;
  std::string host;        // the name of its node
  std::string address;     // of its node, on the way to the driver
  std::uint16_t port = 0;  // rank 0: where it listens for its launch's ranks
  NodeLayout layout;       // of what it may use there
};

// Says what an agent starts.
struct AgentStart {
  std::vector<std::string> tokens;
  std::map<std::string, std::string> environment;
  std::vector<int> cores;  // empty: unbound
  std::string folder;      // that the rank works in
  std::string part_dir;    // as its tokens name it
  std::string mark;        // of the driver in it (local_parts.hpp)
  double look_seconds = 1;
  double patience_seconds = 60;  // a driver that takes no word for so long is gone; 0: never
};

// Makes one message of both.
Words joined(Words begin, const Words& rest);

// Write and read messages without their first words. Reading throws Error for what is none.
Words to_message(const AgentHello& hello);
Words to_message(const AgentStart& start);
Words to_message(const ProcessActivity& activity);
AgentHello hello_from(const Words& words);
AgentStart start_from(const Words& words);
ProcessActivity activity_from(const Words& words);

}  // namespace ddpbench
