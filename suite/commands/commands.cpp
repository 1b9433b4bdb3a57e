#include "suite/commands/commands.hpp"

#include <array>

namespace ddpbench {

namespace {

constexpr std::array kCommands{
    CommandEntry{"doctor", "Shows what this machine and this build can use",
                 "Looks at this machine: LibTorch, backends, GPUs, cores, launchers, data. What cannot be used is named with "
                 "the reason.\n"
                 "`list` and `plan` use the result of the last check. Run it again after a change (driver, GPU, modules).",
                 "ddpbench doctor", "0 done; 2 a mistake in the command; 3 there is no worker or it cannot be started",
                 declare_doctor},
    CommandEntry{
        "list", "Lists what an experiment can use on this machine",
        "Prints the names of experiments, arms, features, strategies, backends, workloads, precisions, launchers, metrics,\n"
        "sites and tables; with a SECTION, what each of them is, with its options.\n"
        "For what cannot be used here, it gives the reason.",
        "ddpbench list strategies", "0 done; 2 a mistake in the command", declare_list},
    CommandEntry{"plan", "Shows what `run` would do: cells, launches, commands, time; starts nothing",
                 "Prints every cell, what is skipped and why, how many launches there are, how long they take at most, and "
                 "the\n"
                 "command of each, which can be pasted into a shell.",
                 "ddpbench plan demo --set ranks_per_node=1,2 --constraint 'ranks_per_node <= 2'",
                 "0 done; 2 a mistake in the command or the experiment", declare_plan},
    CommandEntry{
        "run", "Measures an experiment; ends with its tables and the answer",
        "Starts every launch of the plan, one after the other, and stores what each has measured. At the end it prints a row "
        "for each arm\n"
        "and a short answer, and writes report.html. You can stop it at any time; continue with --out DIR --resume.",
        "ddpbench run demo --out results/first",
        "0 done; 1 a launch failed, a result was wrong, a budget is exceeded or the disk filled;\n"
        "2 a mistake in command, experiment or data; 3 it could not run at all; 4 no verdict (--require-verdict);\n"
        "75 stopped early, continue with --out DIR --resume; 77 every launch was skipped on this machine",
        declare_run},
    CommandEntry{
        "collectives", "Measures the collectives themselves: by size, or a model's buckets",
        "Runs all_reduce, broadcast and the others over each backend, beside the library's own calls, in turn on the same "
        "buffers;\n"
        "prints nccl-tests' columns and the speed against the library, checks every result, and writes report.html.",
        "ddpbench collectives --collectives all_reduce --max-bytes 16M",
        "0 done; 1 a launch failed or a result was wrong; 2 a mistake in the command; 3 it could not run at all;\n"
        "75 stopped early: what was measured is reported; 77 none of the backends is here",
        declare_collectives},
    CommandEntry{"preflight", "Names slow and broken nodes of a job before it measures",
                 "Starts ranks on all nodes at once. Each does the same matrix product, copy in memory and all-reduce, 24 times; "
                 "a node\n"
                 "that takes longer than the others is named, with what it takes longer for. `run` does the same first. It takes "
                 "seconds.",
                 "ddpbench preflight --hosts node1,node2",
                 "0 all nodes are alike; 1 one is slow or broken, or they could not be compared; 2 a mistake in the command;\n"
                 "3 it could not run at all",
                 declare_preflight},
    CommandEntry{"submit", "Writes and submits the jobs that measure an experiment on a cluster",
                 "Prints what the jobs will measure, how long they take at most, what they cost, and their scripts; then it "
                 "submits them.\n"
                 "What the site does not allow is refused before. A job that meets its time limit begins again and goes on "
                 "(Slurm).",
                 "ddpbench submit scaling --site jean-zay-h100 --account abc --dry-run",
                 "0 done; 2 a mistake in the command, or more than the site allows; 3 the batch system refused, or is not here;\n"
                 "77 every launch was skipped on this site",
                 declare_submit},
    CommandEntry{"watch", "Shows how far the jobs of `submit` are, until all have ended",
                 "One table of all jobs: what the batch system says of each, and how many of its launches are measured. Ctrl-C "
                 "ends\n"
                 "the watching; the jobs go on.",
                 "ddpbench watch results/scaling-jean-zay-h100-20261124T101500Z",
                 "0 all jobs have ended; 2 a mistake in the command; 3 the batch system is not here", declare_watch},
    CommandEntry{"report", "Rebuilds tables, plots and report.html of results folders",
                 "Checks the folder, recomputes everything from its samples, and draws the page. It needs neither LibTorch "
                 "nor a GPU.",
                 "ddpbench report results/first",
                 "0 done; 1 the folder is damaged, a budget is exceeded, or no launch finished; 2 not a results folder; 3 no "
                 "page can be drawn",
                 declare_report},
    CommandEntry{
        "compare", "Did this change make training slower? Two builds in turn, or two results folders",
        "With --base and --new: measures an experiment with both builds, launch by launch in turn, and judges every step and "
        "cost.\n"
        "Of two folders that were measured at different times only costs are judged, which are paired within each launch.",
        "ddpbench compare --base ../before/build --new build overhead",
        "0 no regression was found; 1 a regression, a launch failed, or a folder is damaged; 2 a mistake in the command;\n"
        "3 it could not run at all; 4 something stays open (--require-verdict); 75 stopped early, continue with --resume;\n"
        "77 every launch was skipped on this machine",
        declare_compare},
    CommandEntry{
        "history", "The figures of many results folders as one CSV, for Apache Otava to find change points in",
        "A row for each folder, oldest first; a column for what each arm costs and for each step. Costs are paired within "
        "their launches\n"
        "and so comparable over weeks.",
        "ddpbench history results/nightly-1 results/nightly-2 --out history.csv --otava otava.yaml",
        "0 done; 1 a folder is damaged and left out; 2 a mistake in the command, or not a results folder", declare_history},
    CommandEntry{"predict", "Step time, efficiency and GPU-hours at sizes that were not measured",
                 "Fits what was measured at the sizes of a results folder: compute by batch, the slowest rank's extra, "
                 "communication\n"
                 "(α–β model). It tells how far off it was for each measured size when that one was held out.",
                 "ddpbench predict results/first --world-size 4,8", "0 done; 2 a mistake in the command, or no two sizes",
                 declare_predict},
    CommandEntry{"data", "Generates or checks data sets",
                 "make: writes generated images in CIFAR's format, for a machine without the data set.\n"
                 "verify: checks a data set that is there.",
                 "ddpbench data make ~/data --dataset cifar10", "0 done; 2 a mistake in the command, or the data are not whole",
                 declare_data},
    CommandEntry{"verify", "Checks that a results folder is complete and undamaged",
                 "Reads every file and checks checksums, columns, values and the order of the rows, and that plan, launches, "
                 "blocks and\n"
                 "steps agree. It prints one line for each fault.",
                 "ddpbench verify results/first", "0 complete and undamaged; 1 not; 2 not a results folder", declare_verify},
    CommandEntry{"pack", "Writes a results folder into one archive; on another machine `report` makes the same tables of it",
                 "It verifies the folder first. The archive holds the folder without what a running launch keeps there.",
                 "ddpbench pack results/first --out first.tar.gz", "0 done; 1 the folder is damaged; 2 a mistake in the command",
                 declare_pack},
    CommandEntry{"completion", "Prints a completion script for bash or zsh: commands, options, experiments",
                 "To install it, copy the first line of its output into ~/.bashrc or ~/.zshrc.", "ddpbench completion bash",
                 "0 done; 2 a mistake in the command", declare_completion},
};

}  // namespace

std::span<const CommandEntry> commands() { return kCommands; }

}  // namespace ddpbench
