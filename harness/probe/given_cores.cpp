#include "harness/probe/given_cores.hpp"

#include <sched.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/node_layout.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/core_variables.hpp"

namespace ddpbench {
namespace {

// Nothing of a thread that has ended meanwhile.
std::vector<int> cores_of(pid_t thread) {
  try {
    return allowed_cores(thread);
  } catch (const CannotRun&) {
    return {};
  }
}

}  // namespace

std::string restore_core_affinity() {
  const auto given = environment_variable(kCoresVariable);
  if (given.empty()) return "";
  const auto cores = numbers_in_list(given);
  const auto mask = core_mask(cores);
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto thread = parse_number<pid_t>(entry.path().filename().string()).value_or(0);
    const auto own = cores_of(thread);
    if (own.empty() || own == cores) continue;
    if (found.empty()) found = list_of_numbers(own) + " (it was given " + given + ")";
    const auto* set = reinterpret_cast<const cpu_set_t*>(mask.data());
    if (::sched_setaffinity(thread, mask.size() * sizeof(unsigned long), set) != 0 && errno != ESRCH)
      throw CannotRun("a library has bound this rank to cores " + found + ", and it cannot be put back: " + std::strerror(errno));
  }
  return found;
}

}  // namespace ddpbench
