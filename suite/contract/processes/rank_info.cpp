#include "suite/contract/processes/rank_info.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// The variables by which one launcher tells a process who it is.
struct LauncherVariables {
  const char* name;
  const char* program;  // as it is called
  const char* sign;     // is set by this launcher alone
  const char* rank;
  std::array<const char*, 2> world_size;  // the first that is set; the last must be, where no other is
  const char* local_rank;
  const char* local_world_size;          // may be missing from the environment; "": there is none
  std::array<const char*, 2> node_rank;  // the first that is set; "": there is none
};

// In this order: torchrun inside srun sets both, and the innermost launcher is right. SLURM_LOCALID is the local rank; SLURM_PROCID
// is global and wrong as soon as there are two nodes; SLURM_NTASKS may be the job's, of which a step is a part.
// OMPI_COMM_WORLD_NODE_RANK is a rank on its node among all jobs, not a node's number; mpirun has no variable for that. Hydra is the mpirun of
// MPICH, Intel MPI and MVAPICH; srun sets PMI_RANK too, and what it starts for Hydra inherits its variables.
constexpr std::array<LauncherVariables, 4> kLaunchers{{
    {"torchrun", "torchrun", "RANK", "RANK", {"", "WORLD_SIZE"}, "LOCAL_RANK", "LOCAL_WORLD_SIZE", {"GROUP_RANK", "NODE_RANK"}},
    {"mpirun",
     "mpirun",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_RANK",
     {"", "OMPI_COMM_WORLD_SIZE"},
     "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {"", ""}},
    {kHydraVariables, "mpirun", "MPI_LOCALRANKID", "PMI_RANK", {"", "PMI_SIZE"}, "MPI_LOCALRANKID", "MPI_LOCALNRANKS", {"", ""}},
    {"srun",
     "srun",
     "SLURM_PROCID",
     "SLURM_PROCID",
     {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
     "SLURM_LOCALID",
     "",
     {"SLURM_NODEID", ""}},
}};

std::int64_t number_in(const std::string& name, const std::string& text) {
  const auto value = parse_number<std::int64_t>(text);
  if (!value || *value < 0) throw UsageError("environment variable " + name + "='" + text + "' must be a whole number from 0");
  return *value;
}

std::int64_t required(const EnvironmentLookup& lookup, const char* launcher, const char* name) {
  const auto text = lookup(name);
  if (!text) throw UsageError(std::string("started by ") + launcher + ", but environment variable " + name + " is not set");
  return number_in(name, *text);
}

std::optional<std::int64_t> optional_number(const EnvironmentLookup& lookup, const std::string& name) {
  const auto text = name.empty() ? std::nullopt : lookup(name);
  return text ? std::optional(number_in(name, *text)) : std::nullopt;
}

std::optional<std::int64_t> first_number(const EnvironmentLookup& lookup, const std::array<const char*, 2>& names) {
  const auto first = optional_number(lookup, names[0]);
  return first ? first : optional_number(lookup, names[1]);
}

// The node's number where no variable tells it: rank / ranks per node. That holds only if nodes are filled one after the other; else
// it stays unknown.
std::optional<std::int64_t> node_rank_by_layout(const RankInfo& info, std::int64_t local_world_size) {
  const bool is_filled_in_order = local_world_size > 0 && info.rank % local_world_size == info.local_rank;
  return is_filled_in_order ? std::optional(info.rank / local_world_size) : std::nullopt;
}

std::optional<std::int64_t> node_rank_of(const EnvironmentLookup& lookup, const LauncherVariables& launcher, const RankInfo& info,
                                         std::optional<std::int64_t> local_world_size) {
  if (const auto number = first_number(lookup, launcher.node_rank)) return number;
  return local_world_size ? node_rank_by_layout(info, *local_world_size) : std::nullopt;
}

std::uint16_t port_of_job(const EnvironmentLookup& lookup) {
  constexpr std::int64_t kFirstPort = 20000,
                         kPorts = 12000;  // below the usual ephemeral range (from 32768), one per job and step
  const auto job = number_in("SLURM_JOB_ID", lookup("SLURM_JOB_ID").value_or("0"));
  const auto step = number_in("SLURM_STEP_ID", lookup("SLURM_STEP_ID").value_or("0"));
  return static_cast<std::uint16_t>(kFirstPort + (job * 31 + step) % kPorts);
}

std::string main_address(const EnvironmentLookup& lookup, const RankInfo& info, bool spans_nodes) {
  if (const auto address = lookup("MASTER_ADDR")) return *address;
  if (const auto nodes = lookup("SLURM_STEP_NODELIST"); nodes && info.source == "srun") return first_host(*nodes);
  if (!spans_nodes) return "127.0.0.1";
  throw UsageError(info.source +
                   " started ranks on several nodes, and nothing says where rank 0 is: set MASTER_ADDR to the host of rank 0 " +
                   "for all ranks (mpirun: -x MASTER_ADDR=HOST, Hydra's -genv MASTER_ADDR HOST)");
}

void read_rendezvous(const EnvironmentLookup& lookup, RankInfo& info, bool spans_nodes) {
  info.main_address = main_address(lookup, info, spans_nodes);
  info.launcher_serves_store = lookup("TORCHELASTIC_USE_AGENT_STORE") == "True" && info.source == "torchrun";
  if (const auto port = lookup("MASTER_PORT")) {
    const auto number = number_in("MASTER_PORT", *port);
    if (number > 65535) throw UsageError("environment variable MASTER_PORT='" + *port + "' must be at most 65535");
    info.main_port = static_cast<std::uint16_t>(number);
  } else {
    info.main_port = port_of_job(lookup);
  }
  if (is_loopback(info.main_address)) info.store = store_address_by_hand(info.main_port);
}

// A launch of the driver's: whatever else a launcher between the two says. The text holds a secret and is not repeated.
void read_store(const EnvironmentLookup& lookup, RankInfo& info) {
  const auto text = lookup(kStoreVariable);
  if (!text) return;
  info.store = store_address_from(*text);
  if (!info.store)
    throw UsageError(std::string("environment variable ") + kStoreVariable + " must be NAME:SECRET, as ddpbench sets it");
  info.main_address = info.store->endpoint ? info.store->endpoint->host : "127.0.0.1";
  info.own_address = lookup(kOwnAddressVariable).value_or("");
  if (const auto listener = optional_number(lookup, kStoreListenerVariable)) info.store_listener = static_cast<int>(*listener);
}

const LauncherVariables* launcher_of(const EnvironmentLookup& lookup) {
  const auto* found =
      std::find_if(kLaunchers.begin(), kLaunchers.end(), [&](const auto& one) { return lookup(one.sign).has_value(); });
  return found == kLaunchers.end() ? nullptr : found;
}

std::int64_t world_size_of(const EnvironmentLookup& lookup, const LauncherVariables& launcher) {
  const auto number = first_number(lookup, launcher.world_size);
  return number ? *number : required(lookup, launcher.program, launcher.world_size.back());
}

// Who the process is; not where ranks meet.
RankInfo numbers_of(const EnvironmentLookup& lookup, const LauncherVariables& launcher, bool& spans_nodes) {
  RankInfo info;
  info.source = launcher.program;
  info.rank = required(lookup, launcher.program, launcher.rank);
  info.world_size = world_size_of(lookup, launcher);
  info.local_rank = required(lookup, launcher.program, launcher.local_rank);
  const auto local_world_size = optional_number(lookup, launcher.local_world_size);
  info.node_rank = node_rank_of(lookup, launcher, info, local_world_size);
  spans_nodes = local_world_size && info.world_size > *local_world_size;
  return info;
}

void check(const RankInfo& info) {
  if (info.world_size < 1)
    throw UsageError(info.source + ": the world size is " + std::to_string(info.world_size) + ": must be at least 1");
  if (info.rank >= info.world_size) {
    throw UsageError(info.source + ": rank " + std::to_string(info.rank) + ": must be below the world size, " +
                     std::to_string(info.world_size));
  }
  if (info.local_rank > info.rank) {
    throw UsageError(info.source + ": local rank " + std::to_string(info.local_rank) + ": must be at most the rank, " +
                     std::to_string(info.rank));
  }
}

}  // namespace

void require_world_size(const RankInfo& info, std::int64_t planned) {
  if (info.world_size == planned) return;
  const auto started = info.source == "no launcher"
                           ? "no launcher's variables (RANK, WORLD_SIZE, LOCAL_RANK) are set, which is 1 rank"
                           : info.source + " started " + counted(info.world_size, "rank");
  throw UsageError("this launch is planned for " + counted(planned, "rank") + " (--nodes times --ranks-per-node), but " +
                   started);
}

bool is_loopback(const std::string& address) { return address == "localhost" || address == "::1" || address.starts_with("127."); }

std::string first_host(const std::string& host_list) {
  const auto bracket = host_list.find('[');
  const auto comma = host_list.find(',');
  if (bracket == std::string::npos || comma < bracket) return host_list.substr(0, comma);
  const auto end = host_list.find_first_of("-,]", bracket);
  return host_list.substr(0, bracket) + host_list.substr(bracket + 1, end - bracket - 1);
}

RankInfo rank_info_from(const EnvironmentLookup& lookup) {
  bool spans_nodes = false;
  RankInfo info;
  if (const auto* launcher = launcher_of(lookup)) info = numbers_of(lookup, *launcher, spans_nodes);
  read_rendezvous(lookup, info, spans_nodes);
  read_store(lookup, info);
  check(info);
  return info;
}

RankInfo rank_numbers_from(const EnvironmentLookup& lookup, const std::string& launcher) {
  const auto* entry = std::find_if(kLaunchers.begin(), kLaunchers.end(), [&](const auto& one) { return launcher == one.name; });
  if (entry == kLaunchers.end()) throw UsageError("no launcher '" + launcher + "' sets variables that are known here");
  bool spans_nodes = false;
  auto info = numbers_of(lookup, *entry, spans_nodes);
  check(info);
  return info;
}

std::string rank_variable(const std::string& launcher) {
  const auto found =
      std::find_if(kLaunchers.begin(), kLaunchers.end(), [&](const auto& variables) { return launcher == variables.name; });
  return (found == kLaunchers.end() ? kLaunchers.front() : *found).rank;
}

std::map<std::string, std::string> rank_variables(std::int64_t rank, std::int64_t world_size, std::int64_t local_world_size) {
  const auto node = std::to_string(rank / local_world_size);
  return {{"RANK", std::to_string(rank)},
          {"WORLD_SIZE", std::to_string(world_size)},
          {"LOCAL_RANK", std::to_string(rank % local_world_size)},
          {"LOCAL_WORLD_SIZE", std::to_string(local_world_size)},
          {"GROUP_RANK", node},
          {"NODE_RANK", node}};
}

std::optional<std::string> process_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

RankInfo rank_info_from_environment() { return rank_info_from(process_environment); }

}  // namespace ddpbench
