#include "suite/commands/commands.hpp"

#include <array>

namespace ddpbench {

std::span<const CommandEntry> commands() {
  static constexpr std::array kCommands{
      CommandEntry{"doctor", "What was built and found, and what would be used",
                   "Looks at this machine: LibTorch, backends, GPUs, cores, launchers, data. What cannot be used is named with "
                   "the reason.\n"
                   "`list` and `plan` answer from what it found last.",
                   "ddpbench doctor", "0 done; 2 a mistake in the command; 3 there is no worker or it cannot be started",
                   declare_doctor},
      CommandEntry{"list", "What can be put on an axis, and why not, here",
                   "Prints arms, features, strategies, backends, workloads, precisions, launchers, metrics or tables, each with "
                   "its options,\n"
                   "and why it cannot run here where it cannot.",
                   "ddpbench list strategies", "0 done; 2 a mistake in the command", declare_list},
      CommandEntry{"plan", "Cells, skips, launches, commands and expected time of an experiment; starts nothing",
                   "Says what `run` would do: every cell, what is skipped and why, how many launches, how long they take at "
                   "most, and the\n"
                   "command of each, ready to be pasted.",
                   "ddpbench plan demo --set ranks_per_node=1,2 --constraint 'ranks_per_node <= 2'",
                   "0 done; 2 a mistake in the command or the experiment", declare_plan},
      CommandEntry{
          "run", "Measures an experiment; ends with its tables and the answer",
          "Starts every launch of the plan, one after the other, and keeps what each has measured. It may be stopped at any "
          "moment:\n"
          "`--resume` goes on. It ends with a row for each arm, the answer in three sentences, and a page.",
          "ddpbench run demo --out results/first",
          "0 done; 1 a launch failed, a result was wrong, a budget is exceeded or the disk filled; 2 a mistake in command,\n"
          "experiment or data; 3 it could not run at all; 4 no verdict (--require-verdict); 75 stopped early, --resume goes on; "
          "77 nothing of it can run here",
          declare_run},
      CommandEntry{"report", "Rebuilds tables, plots and report.html of results folders",
                   "Checks the folder, computes everything from its samples again, and draws the page. It needs neither LibTorch "
                   "nor a GPU.",
                   "ddpbench report results/first",
                   "0 done; 1 the folder is damaged, a budget is exceeded, or no launch finished; 2 not a results folder; 3 no "
                   "page can be drawn",
                   declare_report},
      CommandEntry{"data", "Generates or checks data sets in their binary format",
                   "Images of the size and in the format of CIFAR, made from a seed, for machines that have no data; and a check "
                   "of those\n"
                   "that are there.",
                   "ddpbench data make ~/data --dataset cifar10", "0 done; 2 a mistake in the command, or the data are not whole",
                   declare_data},
      CommandEntry{"verify", "Checks that a results folder is whole",
                   "Reads every file of the folder: checksums, columns, values, the order of the rows, blocks against steps, "
                   "rows against the\n"
                   "plan. Each fault is a sentence.",
                   "ddpbench verify results/first", "0 it is whole; 1 it is not; 2 not a results folder", declare_verify},
      CommandEntry{"pack", "Puts a results folder into one archive, from which `report` makes the same tables elsewhere",
                   "Verifies the folder first. The archive holds what was measured, and not what can be computed from it.",
                   "ddpbench pack results/first --out first.tar.gz",
                   "0 done; 1 the folder is damaged; 2 a mistake in the command", declare_pack},
      CommandEntry{"completion", "Prints what makes a shell complete commands, options and experiments",
                   "A script for bash or zsh, to be read by the line that it begins with.", "ddpbench completion bash",
                   "0 done; 2 a mistake in the command", declare_completion},
  };
  return kCommands;
}

}  // namespace ddpbench
