#include "suite/base/allowed_cores.hpp"

#include <sched.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

struct CpuSetFree {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

constexpr int kLargestCapacity = 1 << 20;

}  // namespace

std::vector<int> allowed_cores() {
  // The system refuses a set that is smaller than its own, whose size it does not tell.
  for (int capacity = 1024;; capacity *= 2) {
    const std::unique_ptr<cpu_set_t, CpuSetFree> set(CPU_ALLOC(static_cast<std::size_t>(capacity)));
    const auto bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const int result = ::sched_getaffinity(0, bytes, set.get());
    if (result < 0 && errno == EINVAL && capacity < kLargestCapacity) continue;
    if (result < 0) throw CannotRun(std::string("cannot read the cores that this process may use: ") + std::strerror(errno));
    std::vector<int> cores;
    for (int core = 0; core < capacity; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set.get())) cores.push_back(core);
    }
    return cores;
  }
}

}  // namespace ddpbench
