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

std::vector<int> allowed_cores(pid_t thread) {
  // The system refuses a set that is smaller than its own, whose size it does not tell.
  for (int capacity = 1024;; capacity *= 2) {
    const std::unique_ptr<cpu_set_t, CpuSetFree> set(CPU_ALLOC(static_cast<std::size_t>(capacity)));
    const auto bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const int result = ::sched_getaffinity(thread, bytes, set.get());
    if (result < 0 && errno == EINVAL && capacity < kLargestCapacity) continue;
    if (result < 0) throw CannotRun(std::string("cannot read the cores that a thread may use: ") + std::strerror(errno));
    std::vector<int> cores;
    for (int core = 0; core < capacity; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set.get())) cores.push_back(core);
    }
    return cores;
  }
}

std::vector<unsigned long> core_mask(const std::vector<int>& cores) {
  constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask;
  for (const int core : cores) {
    const auto bit = static_cast<std::size_t>(core);
    if (bit / kBits >= mask.size()) mask.resize(bit / kBits + 1, 0UL);
    mask[bit / kBits] |= 1UL << (bit % kBits);
  }
  return mask;
}

}  // namespace ddpbench
