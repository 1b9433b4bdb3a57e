#include "suite/launch/launchers/launchers.hpp"

#include <array>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/launch/agents/agent_order.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/launchers/mpirun_launcher.hpp"
#include "suite/launch/launchers/pbsdsh_launcher.hpp"
#include "suite/launch/launchers/srun_launcher.hpp"
#include "suite/launch/launchers/ssh_launcher.hpp"
#include "suite/launch/launchers/torchrun_launcher.hpp"
#include "suite/launch/local/local_launcher.hpp"
#include "suite/launch/shell_text.hpp"

namespace ddpbench {

std::span<const Launcher> launchers() {
  static const std::array table{
      Launcher{{"local", "processes of this machine, each bound to its share of the cores"},
               LauncherScope::kThisMachine,
               why_not_local,
               local_command,
               local_binding,
               start_local},
      Launcher{{"torchrun", "PyTorch's launcher, on this machine or once on each node; alone it binds no rank to cores",
                rendezvous_options()},
               LauncherScope::kGivenNodes,
               why_not_torchrun,
               torchrun_command,
               torchrun_binding,
               start_torchrun},
      Launcher{
          {"srun", "Slurm's launcher, inside a job: a task for each rank, on all nodes of the job or some", rendezvous_options()},
          LauncherScope::kAnyNodes,
          why_not_srun,
          srun_command,
          agents_binding,
          start_srun,
          srun_says_job_is_over,
          true},
      Launcher{
          {"mpirun", "MPI's launcher (Open MPI's, or Hydra of MPICH and Intel MPI), on the nodes of a job or on this machine",
           rendezvous_options()},
          LauncherScope::kNodesOfMpi,
          why_not_mpirun,
          mpirun_command,
          agents_binding,
          start_mpirun,
          nullptr,
          true},
      Launcher{{"pbsdsh", "PBS's launcher, inside a job: on all nodes of the job or some", rendezvous_options()},
               LauncherScope::kGivenNodes,
               why_not_pbsdsh,
               pbsdsh_command,
               agents_binding,
               start_pbsdsh},
      Launcher{
          {"ssh", "ssh to each of the nodes that --hosts names, or of a job; needs keys, asks no password", rendezvous_options()},
          LauncherScope::kGivenNodes,
          why_not_ssh,
          ssh_command,
          agents_binding,
          start_ssh},
  };
  return table;
}

Program worker_program(const Installation& installation) { return {{installation.worker.string()}, {}, installation}; }

std::string_view default_launcher(const Allocation& allocation) {
  if (!allocation.job.empty() && why_not_srun({}, allocation).empty()) return "srun";
  if (why_not_pbsdsh({}, allocation).empty()) return "pbsdsh";
  return allocation.is_named ? "ssh" : "local";
}

std::string why_not_on_nodes(const Launcher& launcher, const Allocation& allocation) {
  if (allocation.job.empty() && !allocation.is_named && launcher.scope == LauncherScope::kNodesOfMpi)
    return "neither a job nor --hosts names more";
  if (allocation.job.empty() || allocation.is_named || launcher.scope != LauncherScope::kThisMachine) return "";
  const bool is_slurm = allocation.job.starts_with("Slurm");
  const auto own = is_slurm ? why_not_srun({}, allocation) : why_not_pbsdsh({}, allocation);
  if (allocation.hosts.empty()) {
    const auto why = allocation.why_no_hosts.empty() ? "its nodes are not known" : allocation.why_no_hosts;
    return allocation.job + ": " + why + "; --hosts NODE,NODE names them";
  }
  if (allocation.hosts.size() == 1) return allocation.job + " has 1 node";
  const auto nodes = counted(static_cast<std::int64_t>(allocation.hosts.size()), "node");
  if (own.empty())
    return allocation.job + " has " + nodes + "; --launcher " + std::string(default_launcher(allocation)) +
           " starts ranks on them";
  return allocation.job + " has " + nodes + "; " + own + "; --launcher ssh or mpirun starts ranks on them";
}

void require_available(const Launcher& launcher, const Installation& installation, const Allocation& allocation) {
  const auto reason = launcher.why_not(installation, allocation);
  if (!reason.empty()) throw CannotRun("launcher '" + std::string(launcher.name) + "' is not available here: " + reason);
}

void add_limits(const Launcher& launcher, Availability& availability) {
  if (launcher.starts_mpi) return;
  std::vector<std::string> others;
  for (const auto& entry : launchers()) {
    if (entry.starts_mpi) others.emplace_back(entry.name);
  }
  availability.why_not["backend"].try_emplace(
      kMpiBackend,
      "launcher '" + std::string(launcher.name) + "' cannot start MPI processes; --launcher " + join(others, " or ") + " can");
}

std::string pasteable_part_dir(const LaunchSpec& spec) { return "ddpbench-parts/" + spec.launch_id; }

std::string pasteable_command(const Launcher& launcher, LaunchSpec spec, const Program& program, const std::string& data) {
  spec.part_dir = pasteable_part_dir(spec);
  if (!data.empty()) spec.data = data;
  return shell_text(launcher.command(spec, program));
}

}  // namespace ddpbench
