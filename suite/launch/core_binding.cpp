#include "suite/launch/core_binding.hpp"

#include <sched.h>

#include <cerrno>
#include <memory>

#include "suite/launch/system_call.hpp"

namespace ddpbench {
namespace {

struct CpuSetFree {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

std::string describe_cores(const std::vector<int>& cores) {
  std::string text;
  for (std::size_t first = 0; first < cores.size();) {
    std::size_t last = first;
    while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cores[first]);
    if (last > first) text += "-" + std::to_string(cores[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

std::vector<int> allowed_cores() {
  // The system refuses a set that is smaller than its own, whose size it does not tell.
  for (int capacity = 1024;; capacity *= 2) {
    const std::unique_ptr<cpu_set_t, CpuSetFree> set(CPU_ALLOC(static_cast<std::size_t>(capacity)));
    const auto bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const int result = ::sched_getaffinity(0, bytes, set.get());
    if (result < 0 && errno == EINVAL && capacity < (1 << 20)) continue;
    checked(result, "cannot read the cores that this process may use");
    std::vector<int> cores;
    for (int core = 0; core < capacity; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes, set.get())) cores.push_back(core);
    }
    return cores;
  }
}

std::vector<std::vector<int>> share_cores(const std::vector<int>& cores, std::size_t ranks) {
  std::vector<std::vector<int>> shares;
  const auto each = static_cast<std::ptrdiff_t>(ranks == 0 ? 0 : cores.size() / ranks);
  if (each < kFewestCoresPerRank) return shares;
  auto next = cores.begin();
  for (std::size_t rank = 0; rank < ranks; ++rank, next += each) shares.emplace_back(next, next + each);
  return shares;
}

std::string describe_binding(const std::vector<std::vector<int>>& shares, std::size_t cores, std::size_t ranks) {
  if (shares.empty()) {
    return "none: " + std::to_string(ranks) + " ranks share " + std::to_string(cores) +
           " cores, fewer than 2 for each: they disturb each other";
  }
  std::string text;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    text += (rank == 0 ? "rank " : ", rank ") + std::to_string(rank) + ": " + describe_cores(shares[rank]);
  }
  return text;
}

}  // namespace ddpbench
