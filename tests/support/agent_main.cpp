// `ddpbench --agent` and `ddpbench --node` without the rest of ddpbench.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "suite/launch/agents/agent.hpp"
#include "suite/launch/launchers/node_starter.hpp"

int main(int count, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (!words.empty() && words.front() == ddpbench::kNodeWord) return ddpbench::run_on_node({words.begin() + 1, words.end()});
    return static_cast<int>(ddpbench::run_agent());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "agent: %s\n", error.what());
    return 3;
  }
}
