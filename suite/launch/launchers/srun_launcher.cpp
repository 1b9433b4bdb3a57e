#include "suite/launch/launchers/srun_launcher.hpp"

#include <algorithm>
#include <array>

#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {
namespace {

constexpr const char* kSrun = "srun";
// Slurm's texts for ESLURM_ALREADY_DONE and ESLURM_INVALID_JOB_ID (slurm_errno.c).
constexpr std::array<std::string_view, 2> kJobIsOver{"Job/step already completing or completed", "Invalid job id specified"};

}  // namespace

std::string why_not_srun(const Installation& /*installation*/, const Allocation& /*allocation*/) {
  if (find_program(kSrun).empty()) return "srun is not in $PATH";
  return environment_variable("SLURM_JOB_ID").empty() ? "this shell is in no job of Slurm's: use salloc or sbatch" : "";
}

// $SLURM_MPI_TYPE is srun's own: a site whose MPI library has no PMIx says pmi2.
std::string mpi_plugin(const LaunchSpec& spec) {
  if (!needs_mpi(spec.backend)) return "none";
  const auto wished = environment_variable("SLURM_MPI_TYPE");
  return wished.empty() ? "pmix" : wished;
}

// Ranks share their node's cores among themselves (AgentLaunch), the same way under every launcher. --overlap: a job's shell may be a step
// that holds all of it. A job's options (--hint, --cpus-per-task) must not become those of a step.
LaunchCommand by_srun(const LaunchSpec& spec, const Program& program, std::int64_t tasks_per_node,
                      const std::vector<std::string>& of_each) {
  meet_by(spec);  // a mistake in it is told before anything starts
  LaunchCommand command;
  command.tokens = {program_to_show(kSrun),
                    "--nodes=" + std::to_string(spec.nodes),
                    "--ntasks=" + std::to_string(spec.nodes * tasks_per_node),
                    "--ntasks-per-node=" + std::to_string(tasks_per_node),
                    "--distribution=block",
                    "--cpu-bind=none",
                    "--mpi=" + mpi_plugin(spec),
                    "--overlap",
                    "--kill-on-bad-exit=1",
                    "--input=none",
                    "--export=ALL"};
  const auto hosts = hosts_of(spec, program.hosts);
  if (!hosts.empty()) command.tokens.push_back("--nodelist=" + join(hosts, ","));
  command.tokens.insert(command.tokens.end(), of_each.begin(), of_each.end());
  return command;
}

LaunchCommand srun_command(const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  auto command = by_srun(spec, program, spec.ranks_per_node, rank.tokens);
  command.environment = rank.environment;
  return command;
}

std::unique_ptr<RunningLaunch> start_srun(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto order =
      agent_order(kSrun, kSrun, by_srun(spec, program, spec.ranks_per_node, agent_command(program.installation)), spec, program);
  return std::make_unique<AgentLaunch>(spec, std::move(order), std::move(supervision));
}

bool srun_says_job_is_over(std::string_view reason) {
  return std::any_of(kJobIsOver.begin(), kJobIsOver.end(),
                     [&](std::string_view words) { return reason.find(words) != std::string_view::npos; });
}

}  // namespace ddpbench
