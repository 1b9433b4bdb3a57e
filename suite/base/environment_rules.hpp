#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace ddpbench {

// What becomes of an environment variable by which libraries, schedulers and launchers are steered.
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

// A variable's name, or with `is_beginning` how its name begins.
struct EnvironmentRule {
  std::string_view name;
  EnvironmentPolicy policy;
  bool is_beginning = false;
};

// The first that fits a name decides; a name that none fits is handed on and not recorded.
std::span<const EnvironmentRule> steering_rules();
EnvironmentPolicy fate_of(std::string_view variable);

// Whether a process of this program (the last part of its path) gets the variable of the process that starts it.
bool is_handed_on(std::string_view variable, std::string_view program);

// Is sbatch or qsub: its job starts with a new environment.
bool is_submitting(std::string_view program);

// Those of this process that are facts: NCCL_DEBUG, OMP_NUM_THREADS, SLURM_JOB_ID, …
std::map<std::string, std::string> steering_variables();

// Those of this process that reach no process that ddpbench starts.
std::map<std::string, std::string> withheld_variables();

std::map<std::string, std::string> variables_of(EnvironmentPolicy policy);  // of this process

}  // namespace ddpbench
