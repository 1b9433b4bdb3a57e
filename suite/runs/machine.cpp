#include "suite/runs/machine.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/cpu_quota.hpp"
#include "suite/base/process_facts.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

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
  auto seen = process_facts();
  const double quota = cpu_quota_cores();
  return Json{{"hostname", seen["host"]},
              {"kernel", seen["kernel"]},
              {"architecture", system.machine},
              {"cpu_model", seen["cpu_model"]},
              {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
              {"allowed_cores", allowed_cores().size()},
              {"cpu_quota_cores", std::isnan(quota) ? Json(nullptr) : Json(quota)},
              {"memory", value_in("/proc/meminfo", "MemTotal")},
              {"load", load_averages()},
              {"interfaces", interfaces()}};
}

Json allocation_facts(const Allocation& allocation) {
  return Json{{"job", allocation.job.empty() ? Json(nullptr) : Json(allocation.job)},
              {"hosts", allocation.hosts},
              {"named_by_user", allocation.is_named}};
}

}  // namespace ddpbench
