#pragma once
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Holds the path of the file in which PBS names the nodes of a job, a line for each place, so that a node may stand there many
// times.
inline constexpr const char* kNodeFileVariable = "PBS_NODEFILE";

// Holds the nodes that ranks may run on: those that a batch system has given to the job which this process is in, or that the
// user names.
struct Allocation {
  std::string job{};                 // "Slurm job 4711", "PBS job 17.server"; "": this process is in none
  std::vector<std::string> hosts{};  // their names, in the system's or the user's order, each once
  bool is_named = false;             // by the user
  std::string why_no_hosts{};        // of a job whose nodes are not known; "": they are, or there is no job
};

// Finds the nodes. `named`: what --hosts gave, names with commas between them or a file with one on each line; "": the job's that
// this process is in, as its variables say. Slurm itself expands its list of nodes: without hosts where its programs are not at
// hand. Throws UsageError for what names no node; of a job whose nodes cannot be read it says why.
Allocation find_allocation(const std::string& named = "");

// Returns whether mpirun may know nodes that an Allocation does not: in a job of LSF's, Grid Engine's, Cobalt's or Flux', or by a
// host file of its own.
bool mpi_may_know_nodes();

// Returns "node1" for "node1.example.org" and "node1", which are one.
std::string short_host_name(const std::string& host);

// Returns what stands in the node file of a job of PBS's, a name for each place. Throws UsageError as hosts_in_file().
std::vector<std::string> places_of_pbs();

// Returns the nodes of a launch: as many neighbours of the allocation as it needs. Repetitions take different ones in turn, so
// that no world size is bound to one node; all of a launch's arms run on the same. Empty where nothing is allocated: the launcher
// chooses.
std::vector<std::string> hosts_of(const LaunchSpec& spec, const std::vector<std::string>& allocated);

}  // namespace ddpbench
