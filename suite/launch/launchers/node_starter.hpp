#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// Starts the first process of a launch on a node, where a launcher starts one for each node and none for each rank (ssh, pbsdsh):
//   NODE_RANK=NODE ddpbench --node NODES COPIES PROGRAM ARGUMENT…
// It takes over the environment that comes by its standard input (NAME=VALUE, each ended by a NUL, as `env -0` writes it; an
// encrypted connection keeps it to itself, a command line does not), but for what describes the session there. It starts COPIES
// of the program, tells each by torchrun's variables who it is, and waits for all. When one fails it ends the others.
inline constexpr const char* kNodeWord = "--node";

// Runs the copies; `arguments` are those after kNodeWord. Returns the exit code of the first copy that failed, 128 + its number
// where a signal ended it; else 0. Throws UsageError where the arguments are not as above.
int run_on_node(const std::vector<std::string>& arguments);

// Returns the command above, all but NODE_RANK. `ddpbench`: its path.
std::vector<std::string> node_command(const std::string& ddpbench, std::int64_t nodes, std::int64_t copies,
                                      const std::vector<std::string>& of_each);

// Returns whether a variable of that name is a session's or a machine's own, so that another node must not take it over.
bool is_of_a_session(const std::string& name);

}  // namespace ddpbench
