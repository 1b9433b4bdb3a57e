#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "suite/contract/processes/store_address.hpp"

namespace ddpbench {

// Says who this process is in its launch. One per process.
struct RankInfo {
  std::int64_t rank = 0;
  std::int64_t world_size = 1;
  std::int64_t local_rank = 0;            // on its node; the device it takes. Never the global rank.
  std::optional<std::int64_t> node_rank;  // the number of its node; nothing where the launcher does not tell
  std::string main_address = "127.0.0.1";
  std::uint16_t main_port = 0;
  std::optional<StoreAddress>
      store;                  // where ranks meet that are all on this machine; nothing: at the address and port above, by TCP
  std::string own_address{};  // of this machine, at which the other ranks reach it; "": as its host's name says
  std::optional<int> store_listener{};  // rank 0: the descriptor at which it listens already
  bool launcher_serves_store = false;   // torchrun's own store listens at that port; else rank 0 opens one
  std::string source = "no launcher";   // whose variables were read
};

// Returns the value of an environment variable; nothing where it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

// Reads the variables of torchrun (and of our launcher), mpirun, or srun, the first that are there; with none of them a single
// rank. Throws UsageError for a set that is incomplete or contradicts itself, naming the variable; also where ranks lie on
// several nodes and nobody says on which of them rank 0 is.
RankInfo rank_info_from(const EnvironmentLookup& lookup);

// Reads this process's own variables so; throws the same.
RankInfo rank_info_from_environment();

// Names another mpirun's variables, MPICH's and Intel MPI's, for rank_numbers_from.
inline constexpr const char* kHydraVariables = "hydra";

// Reads rank, world size and local rank from the variables of that launcher and no other: which rank a process is to start.
// "mpirun" is Open MPI's. Throws UsageError where they are not set or contradict each other, and for a launcher that sets none.
RankInfo rank_numbers_from(const EnvironmentLookup& lookup, const std::string& launcher);

// Returns the variable in which that launcher, named as for rank_numbers_from, tells a process its rank; torchrun's for any other.
std::string rank_variable(const std::string& launcher);

// Returns torchrun's variables for a rank of nodes that are filled one after the other, `local_world_size` ranks on each: what
// rank_info_from reads.
std::map<std::string, std::string> rank_variables(std::int64_t rank, std::int64_t world_size, std::int64_t local_world_size);

// Looks up one of this process's own variables.
std::optional<std::string> process_environment(const std::string& name);

// Returns whether the address is one of this machine alone: all that meet there are on it.
bool is_loopback(const std::string& address);

// Throws UsageError where the launcher started another number of ranks than the launch is planned for.
void require_world_size(const RankInfo& info, std::int64_t planned);

// Returns the first name of a host list of Slurm's: "jean-zay-a[101-104,110]" -> "jean-zay-a101".
std::string first_host(const std::string& host_list);

}  // namespace ddpbench
