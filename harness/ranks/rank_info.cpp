#include "harness/ranks/rank_info.hpp"

#include <array>
#include <cstdlib>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

// The variables by which one launcher tells a process who it is.
struct LauncherVariables {
  const char* name;
  const char* rank;
  const char* world_size;
  const char* local_rank;
  const char* node_rank;  // may be missing from the environment: node 0
};

// In this order: torchrun inside srun sets both, and the innermost launcher is right. SLURM_LOCALID is the local rank; SLURM_PROCID
// is global and wrong as soon as there are two nodes.
constexpr std::array<LauncherVariables, 3> kLaunchers{{
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "GROUP_RANK"},
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_NODE_RANK"},
    {"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NODEID"},
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

std::uint16_t port_of_job(const EnvironmentLookup& lookup) {
  constexpr std::int64_t kFirstPort = 20000, kPorts = 20000;  // below the usual ephemeral range's middle, one per job and step
  const auto job = number_in("SLURM_JOB_ID", lookup("SLURM_JOB_ID").value_or("0"));
  const auto step = number_in("SLURM_STEP_ID", lookup("SLURM_STEP_ID").value_or("0"));
  return static_cast<std::uint16_t>(kFirstPort + (job * 31 + step) % kPorts);
}

void read_rendezvous(const EnvironmentLookup& lookup, RankInfo& info) {
  if (const auto address = lookup("MASTER_ADDR")) {
    info.main_address = *address;
  } else if (const auto nodes = lookup("SLURM_STEP_NODELIST"); nodes && info.source == "srun") {
    info.main_address = first_host(*nodes);
  }
  if (const auto port = lookup("MASTER_PORT")) {
    const auto number = number_in("MASTER_PORT", *port);
    if (number > 65535) throw UsageError("environment variable MASTER_PORT='" + *port + "' must be at most 65535");
    info.main_port = static_cast<std::uint16_t>(number);
  } else {
    info.main_port = port_of_job(lookup);
  }
  if (const auto fd = lookup("DDPBENCH_STORE_FD"); fd && info.rank == 0) {
    info.store_fd = static_cast<int>(number_in("DDPBENCH_STORE_FD", *fd));
  }
}

void check(const RankInfo& info) {
  if (info.world_size < 1) throw UsageError(info.source + ": the world size must be at least 1");
  if (info.rank >= info.world_size) {
    throw UsageError(info.source + ": rank " + std::to_string(info.rank) + " is not below the world size " +
                     std::to_string(info.world_size));
  }
  if (info.local_rank > info.rank) throw UsageError(info.source + ": the local rank is larger than the rank");
}

}  // namespace

std::string first_host(const std::string& host_list) {
  const auto bracket = host_list.find('[');
  const auto comma = host_list.find(',');
  if (bracket == std::string::npos || comma < bracket) return host_list.substr(0, comma);
  const auto end = host_list.find_first_of("-,]", bracket);
  return host_list.substr(0, bracket) + host_list.substr(bracket + 1, end - bracket - 1);
}

RankInfo rank_info_from(const EnvironmentLookup& lookup) {
  RankInfo info;
  for (const auto& launcher : kLaunchers) {
    if (!lookup(launcher.rank)) continue;
    info.source = launcher.name;
    info.rank = required(lookup, launcher.name, launcher.rank);
    info.world_size = required(lookup, launcher.name, launcher.world_size);
    info.local_rank = required(lookup, launcher.name, launcher.local_rank);
    if (const auto node = lookup(launcher.node_rank)) info.node_rank = number_in(launcher.node_rank, *node);
    break;
  }
  if (info.source.empty()) info.source = "single process";
  read_rendezvous(lookup, info);
  check(info);
  return info;
}

RankInfo rank_info_from_environment() {
  return rank_info_from([](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
}

}  // namespace ddpbench
