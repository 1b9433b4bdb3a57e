#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Says how jobs of one batch system are written, submitted, asked for and ended.
struct BatchSystem {
  std::string_view name;
  std::string_view directive;    // before each option in a script: "#SBATCH "
  std::string_view script;       // the template, in slurm/templates
  std::string_view name_option;  // of the job, before its value
  std::string_view time_option;
  std::string_view output_option;
  std::string_view quality_option;  // "": none
  std::string_view array_option;    // before "1-N"
  std::string_view array_log;       // what stands for a task's number in the path of output_option
  std::string_view task_variable;   // of the shell, with that number
  std::string_view exclude_option;  // before "NODE,NODE"; "": it cannot leave nodes out
  std::vector<std::string> (
      *nodes)();      // a command that prints the name of each node on a line; nullptr where nodes cannot be left out
  bool begins_again;  // a job that meets its time limit, by its script
  std::vector<std::string> (*submit)(const std::string& script,
                                     const std::vector<std::string>& after);  // `after`: jobs that must have ended, however
  std::optional<std::string> (*job_id)(const std::string& said);  // of what `submit` printed; nothing: it printed no job
  std::vector<std::string> (*state)(const std::string& job_id);   // a command that prints a job's state
  std::string (*state_in)(const std::string& said);               // "RUNNING"; "": the batch system knows the job no more
  std::vector<std::string> (*cancel)(const std::string& job_id);
};

// Returns every batch system that a site may name.
std::span<const BatchSystem> batch_systems();

}  // namespace ddpbench
