#include "harness/probe/main_core.hpp"

#include <pthread.h>
#include <sched.h>

#include <cstdint>
#include <optional>

#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/core_variables.hpp"

namespace ddpbench {
namespace {

// Where the process could run before its main thread was bound; nothing: it is not.
std::optional<cpu_set_t>& cores_before() {
  static std::optional<cpu_set_t> cores;
  return cores;
}

}  // namespace

void bind_main_thread() {
  const auto core = parse_number<std::int64_t>(environment_variable(kMainCoreVariable)).value_or(-1);
  if (core < 0 || core >= CPU_SETSIZE) return;
  cpu_set_t allowed, wanted;
  CPU_ZERO(&wanted);
  CPU_SET(static_cast<std::size_t>(core), &wanted);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || !CPU_ISSET(static_cast<std::size_t>(core), &allowed)) return;
  const bool is_first = !cores_before();
  if (is_first) cores_before() = allowed;
  ::sched_setaffinity(0, sizeof(wanted), &wanted);  // of this thread alone
  if (is_first) ::pthread_atfork(nullptr, nullptr, unbind_thread);
}

void unbind_thread() {
  if (cores_before()) ::sched_setaffinity(0, sizeof(cpu_set_t), &*cores_before());
}

}  // namespace ddpbench
