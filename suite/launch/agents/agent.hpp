#pragma once
#include <string>
#include <vector>

#include "suite/contract/processes/exit_code.hpp"
#include "suite/launch/installation.hpp"

namespace ddpbench {

// The process beside one rank of a launch, that another program (srun, ssh) has started on the rank's node: asks the driver what to
// start, starts it, hands on what it says and how it does, and ends it when the driver says so or is gone. A rank whose step must not
// call the system has somebody who does.
//
// Its place in the environment: agent_words.hpp. kDone once the driver knows the rank's end; kCouldNotRun, with the reason on standard
// error, where there is no driver to be reached.
ExitCode run_agent();

// What a launcher starts for each rank; `ddpbench` by a word of its own that no help shows.
inline constexpr const char* kAgentWord = "--agent";

// Words that stand before it on each node, separated by blanks: "apptainer exec --nv ddpbench.sif". What they start must end with it.
inline constexpr const char* kNodeCommandVariable = "DDPBENCH_NODE_COMMAND";
std::vector<std::string> agent_command(const Installation& installation);

}  // namespace ddpbench
