#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ddpbench {

// Says what becomes of an environment variable by which libraries, schedulers and launchers are steered.
enum class EnvironmentPolicy {
  kRecorded,    // reaches ranks, and stands among a launch's facts
  kSet,         // the same; ddpbench sets it for each rank, whatever the user's own says
  kCleared,     // reaches no process that ddpbench starts: it says where threads run or how many there are, as the plan does
  kOfTorchrun,  // reaches none either: torchrun takes it for an option
  kOfStep,      // recorded; srun and mpirun do not get it: they would take it for an option
  kOfSession,   // recorded; sbatch and qsub do not get it: a job begins with what its script says
  kOfTask,      // what a launcher tells each process anew: handed on to ranks, and no fact that launches are compared by
  kPassed,      // handed on and not recorded: it says how to reach the batch system, or is a secret
};

// Gives the policy of one variable's name, or with `is_beginning` of all names that begin so.
struct EnvironmentRule {
  std::string_view name;
  EnvironmentPolicy policy;
  bool is_beginning = false;
};

// Returns the rules in their order; the first that fits a name decides.
std::span<const EnvironmentRule> steering_rules();

// Returns the policy of the first rule that fits; kPassed where none does.
EnvironmentPolicy policy_of(std::string_view variable);

// Returns whether a process of this program (the last part of its path) gets the variable from the process that starts it.
bool is_handed_on(std::string_view variable, std::string_view program);

// Returns whether the program is sbatch or qsub, whose job starts with a new environment.
bool is_submitting(std::string_view program);

// Returns this process's variables that are facts: NCCL_DEBUG, OMP_NUM_THREADS, SLURM_JOB_ID, …
std::map<std::string, std::string> steering_variables();

// Returns this process's variables that reach no process that ddpbench starts.
std::map<std::string, std::string> withheld_variables();

std::map<std::string, std::string> variables_of(EnvironmentPolicy policy);  // this process's, of that policy

}  // namespace ddpbench
