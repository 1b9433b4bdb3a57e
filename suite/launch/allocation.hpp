#pragma once
#include <string>
#include <vector>

#include "suite/contract/launch_spec.hpp"

namespace ddpbench {

// The nodes that a batch system has given to the job which this process is in.
struct Allocation {
  std::string job;                 // "Slurm job 4711"; "": this process is in none
  std::vector<std::string> hosts;  // their names, in the system's order
};

// Slurm's job, as its variables say; Slurm itself expands the list of nodes. Without hosts where its programs are not at hand.
Allocation find_allocation();

// The nodes of a launch: as many neighbours of the allocation as it needs. Repetitions take different ones in turn, so that no world size
// is bound to one node; all of a launch's arms run on the same. Empty where nothing is allocated: the launcher chooses.
std::vector<std::string> hosts_of(const LaunchSpec& spec, const std::vector<std::string>& allocated);

}  // namespace ddpbench
