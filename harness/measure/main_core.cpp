#include "harness/measure/main_core.hpp"

#include <sched.h>

#include "suite/base/numbers.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/contract/main_core.hpp"

namespace ddpbench {

void keep_to_main_core() {
  const auto core = parse_number<std::int64_t>(environment_variable(kMainCoreVariable)).value_or(-1);
  if (core < 0 || core >= CPU_SETSIZE) return;
  cpu_set_t allowed, wanted;
  CPU_ZERO(&wanted);
  CPU_SET(static_cast<std::size_t>(core), &wanted);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || !CPU_ISSET(static_cast<std::size_t>(core), &allowed)) return;
  ::sched_setaffinity(0, sizeof(wanted), &wanted);  // of this thread alone
}

}  // namespace ddpbench
