#include "suite/launch/allocation.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/base/text.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/find_program.hpp"

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
  const bool is_file = std::filesystem::is_regular_file(named, unreadable);
  const auto names = is_file ? lines_of_file(named) : split(named, ',');
  for (const auto& name : names) {
    if (is_host_name(name)) continue;
    throw UsageError("--hosts " + named + ": '" + printable(name) +
                     "' is no name of a node; must be NODE,NODE or a file with a node on each line; what ssh needs to know "
                     "of a node (user, port, address) belongs into ~/.ssh/config");
  }
  if (names.empty()) throw UsageError("--hosts " + named + ": the file names no node");
  return each_once(names);
}

}  // namespace

std::string short_host_name(const std::string& host) { return host.substr(0, host.find('.')); }

bool is_host_name(const std::string& name) {
  constexpr const char* kLegal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !name.empty() && name.front() != '-' && name.find_first_not_of(kLegal) == std::string::npos;
}

std::vector<std::string> lines_of_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return lines_of(text.str());
}

Allocation find_allocation(const std::string& named) {
  const auto slurm_job = environment_variable("SLURM_JOB_ID"), nodes = environment_variable("SLURM_JOB_NODELIST");
  const auto pbs_job = environment_variable("PBS_JOBID"), file = environment_variable(kNodeFileVariable);
  const bool is_in_slurm = !slurm_job.empty() && !nodes.empty(), is_in_pbs = !pbs_job.empty() && !file.empty();
  Allocation found;
  if (is_in_slurm || is_in_pbs) found.job = is_in_slurm ? "Slurm job " + slurm_job : "PBS job " + pbs_job;
  if (!named.empty()) {
    found.hosts = named_hosts(named);
    found.is_named = true;
  } else if (is_in_slurm) {
    found.hosts = expanded_by_slurm(nodes);
  } else if (is_in_pbs) {
    found.hosts = each_once(lines_of_file(file));
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
