#include "suite/launch/allocation.hpp"

#include <algorithm>
#include <sstream>

#include "suite/base/surroundings.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/find_program.hpp"

namespace ddpbench {
namespace {

constexpr double kTimeoutSeconds = 30;  // a controller that is busy

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
  const auto run = run_captured({{scontrol, "show", "hostnames", host_list}, {}, {}, {}}, kTimeoutSeconds);
  auto hosts = lines_of(run.out);
  if (!run.clean()) return {};
  return hosts;
}

}  // namespace

Allocation find_allocation() {
  const auto job = environment_variable("SLURM_JOB_ID");
  const auto nodes = environment_variable("SLURM_JOB_NODELIST");
  if (job.empty() || nodes.empty()) return {};
  return {"Slurm job " + job, expanded_by_slurm(nodes)};
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
