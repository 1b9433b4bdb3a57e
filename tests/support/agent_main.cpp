// `ddpbench --agent` without the rest of ddpbench.
#include <cstdio>
#include <exception>

#include "suite/launch/agents/agent.hpp"

int main() {
  try {
    return static_cast<int>(ddpbench::run_agent());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "agent: %s\n", error.what());
    return 3;
  }
}
