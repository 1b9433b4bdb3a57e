#include "suite/commands/commands.hpp"

#include <array>

namespace ddpbench {

#define DDPBENCH_COMMAND(name) CommandEntry name##_command();
#include "suite/commands/commands.inc"
#undef DDPBENCH_COMMAND

std::span<const CommandEntry> commands() {
  static const std::array table{
#define DDPBENCH_COMMAND(name) name##_command(),
#include "suite/commands/commands.inc"
#undef DDPBENCH_COMMAND
  };
  return table;
}

}  // namespace ddpbench
