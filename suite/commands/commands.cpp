#include "suite/commands/commands.hpp"

#include <array>

namespace ddpbench {

std::span<const CommandEntry> commands() {
  static constexpr std::array kCommands{
      CommandEntry{"doctor", "What was built and found, and what would be used", "ddpbench doctor --json", declare_doctor},
      CommandEntry{"list", "What can be put on an axis, and why not, here", "ddpbench list strategies", declare_list},
      CommandEntry{"plan", "Cells, skips, launches, commands and expected time of an experiment; starts nothing",
                   "ddpbench plan demo --set ranks_per_node=1,2 --constraint 'batch_size_per_rank <= 16'", declare_plan},
      CommandEntry{"run", "Measures an experiment; ends with its tables and the answer",
                   "ddpbench run demo --out results/first --set backend=gloo", declare_run},
      CommandEntry{"report", "Rebuilds tables, plots and report.html of results folders", "ddpbench report results/first",
                   declare_report},
      CommandEntry{"data", "Generates or checks data sets in their binary format", "ddpbench data make ~/data --dataset cifar10",
                   declare_data},
      CommandEntry{"verify", "Checks that a results folder is whole", "ddpbench verify results/first", declare_verify},
      CommandEntry{"pack", "Puts a results folder into one archive, from which `report` makes the same tables elsewhere",
                   "ddpbench pack results/first --out first.tar.gz", declare_pack},
  };
  return kCommands;
}

}  // namespace ddpbench
