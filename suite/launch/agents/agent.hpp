#pragma once
#include <string>
#include <vector>

#include "suite/contract/processes/exit_code.hpp"
#include "suite/launch/installation.hpp"

namespace ddpbench {

// Runs as the process beside one rank of a launch, that another program (srun, ssh) has started on the rank's node: asks the
// driver what to start, starts it, hands on what it says and how it does, and ends it when the driver says so or is gone. A rank
// whose step must not call the system has somebody who does. Reads its place from the environment (agent_messages.hpp). Returns
// kDone once the driver knows the rank's end; kCouldNotRun, with the reason on standard error, where there is no driver to be
// reached.
ExitCode run_agent();

// Names the agent that a launcher starts for each rank: `ddpbench` with a word of its own that no help shows.
inline constexpr const char* kAgentWord = "--agent";

// Holds words that stand before it on each node, separated by blanks: "apptainer exec --nv ddpbench.sif". What they start must
// end with it.
inline constexpr const char* kNodeCommandVariable = "DDPBENCH_NODE_COMMAND";

// Returns the command of an agent: those words, ddpbench and kAgentWord.
std::vector<std::string> agent_command(const Installation& installation);

}  // namespace ddpbench
