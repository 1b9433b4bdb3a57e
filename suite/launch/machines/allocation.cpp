#include "suite/launch/machines/allocation.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/launch/machines/host_list.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

constexpr double kControllerTimeoutSeconds = 30;  // a controller that is busy

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Nothing where Slurm's programs are not at hand, as in a container: ranks can run on this machine all the same.
std::vector<std::string> expanded_by_slurm(const std::string& host_list) {
  const auto scontrol = find_program("scontrol");
  if (scontrol.empty()) return {};
  const auto run = run_captured({{scontrol, "show", "hostnames", host_list}, {}, {}, {}}, kControllerTimeoutSeconds);
  auto hosts = lines_of(run.out);
  if (!run.clean()) return {};
  return hosts;
}

std::vector<std::string> each_once(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const auto& name : names) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return once;
}

std::vector<std::string> named_hosts(const std::string& named) {
  std::error_code unreadable;
  const bool is_file = std::filesystem::exists(named, unreadable) && !std::filesystem::is_directory(named, unreadable);
  return each_once(is_file ? hosts_in_file(named, "--hosts " + shown(named)) : hosts_in(named, "--hosts " + shown(named)));
}

std::string why_no_hosts_of_slurm() {
  return find_program("scontrol").empty() ? "scontrol is not in $PATH" : "scontrol does not tell its nodes";
}

}  // namespace

bool mpi_may_know_nodes() {
  constexpr std::array kSays{"LSB_JOBID",
                             "PE_HOSTFILE",
                             "COBALT_NODEFILE",
                             "FLUX_URI",
                             "HYDRA_HOST_FILE",
                             "I_MPI_HYDRA_HOST_FILE",
                             "OMPI_MCA_orte_default_hostfile",
                             "OMPI_MCA_hostfile",
                             "PRTE_MCA_prte_default_hostfile"};
  return std::any_of(kSays.begin(), kSays.end(), [](const char* name) { return !environment_variable(name).empty(); });
}

std::string short_host_name(const std::string& host) { return host.substr(0, host.find('.')); }

std::vector<std::string> places_of_pbs() {
  return hosts_in_file(environment_variable(kNodeFileVariable), std::string("$") + kNodeFileVariable);
}

Allocation find_allocation(const std::string& named) {
  const auto slurm_job = environment_variable("SLURM_JOB_ID"), nodes = environment_variable("SLURM_JOB_NODELIST");
  const auto pbs_job = environment_variable("PBS_JOBID"), file = environment_variable(kNodeFileVariable);
  const bool is_in_slurm = !slurm_job.empty() && !nodes.empty();
  Allocation found;
  if (is_in_slurm || !pbs_job.empty()) found.job = is_in_slurm ? "Slurm job " + slurm_job : "PBS job " + pbs_job;
  if (!named.empty()) {
    found.hosts = named_hosts(named);
    found.is_named = true;
  } else if (is_in_slurm) {
    found.hosts = expanded_by_slurm(nodes);
    if (found.hosts.empty()) found.why_no_hosts = why_no_hosts_of_slurm();
  } else if (!pbs_job.empty() && file.empty()) {
    found.why_no_hosts = std::string("$") + kNodeFileVariable + " is not set";
  } else if (!pbs_job.empty()) {
    try {
      found.hosts = each_once(places_of_pbs());
    } catch (const UsageError& error) {
      found.why_no_hosts = error.what();
    }
  }
  return found;
}

std::vector<std::string> hosts_of(const LaunchSpec& spec, const std::vector<std::string>& allocated) {
  if (allocated.empty()) return {};
  const auto count = std::min(static_cast<std::size_t>(spec.nodes), allocated.size());
  const auto first = static_cast<std::size_t>(spec.repetition) * count % allocated.size();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back((first + i) % allocated.size());
  std::sort(places.begin(), places.end());  // ranks are numbered in the allocation's order, whichever nodes they take
  std::vector<std::string> hosts;
  for (const auto place : places) hosts.push_back(allocated[place]);
  return hosts;
}

}  // namespace ddpbench
