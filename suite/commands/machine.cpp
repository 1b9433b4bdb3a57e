#include "suite/commands/machine.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "suite/launch/core_binding.hpp"

extern char** environ;

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 8> kPrefixes{"OMP_",  "KMP_",   "MKL_",   "GLOO_",
                                                    "NCCL_", "TORCH_", "SLURM_", "CUDA_VISIBLE_DEVICES"};
// A pass to the batch system, not a fact.
constexpr std::string_view kSecretPart = "JWT";

// The value of the first line "name : value" of a file of /proc; empty where there is none.
std::string value_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

Json load_averages() {
  std::array<double, 3> load{};
  if (::getloadavg(load.data(), static_cast<int>(load.size())) != static_cast<int>(load.size())) return nullptr;
  return load;
}

// Names of the interfaces that are up and have an address.
Json interfaces() {
  std::set<std::string> names;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return nullptr;
  for (const auto* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr != nullptr && (one->ifa_flags & IFF_UP) != 0) names.insert(one->ifa_name);
  }
  ::freeifaddrs(first);
  return names;
}

}  // namespace

Json machine_facts() {
  utsname system{};
  ::uname(&system);
  return Json{{"hostname", system.nodename},
              {"kernel", std::string(system.sysname) + " " + system.release},
              {"architecture", system.machine},
              {"cpu_model", value_in("/proc/cpuinfo", "model name")},
              {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
              {"allowed_cores", allowed_cores().size()},
              {"memory", value_in("/proc/meminfo", "MemTotal")},
              {"load", load_averages()},
              {"interfaces", interfaces()}};
}

Json relevant_variables() {
  Json variables = Json::object();
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    const auto is_prefix = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
    const bool relevant = std::any_of(kPrefixes.begin(), kPrefixes.end(), is_prefix) && name != text;
    if (relevant && name.find(kSecretPart) == std::string_view::npos) variables[std::string(name)] = text.substr(name.size() + 1);
  }
  return variables;
}

}  // namespace ddpbench
