#include "suite/contract/processes/heartbeat.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

// nullptr where the memory holds no such rank.
Heartbeat* mapped(int memory, std::size_t local_rank) {
  struct stat facts {};
  const auto bytes = (local_rank + 1) * sizeof(Heartbeat);
  if (::fstat(memory, &facts) != 0 || facts.st_size < static_cast<off_t>(bytes)) return nullptr;
  void* all = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  return all == MAP_FAILED ? nullptr : static_cast<Heartbeat*>(all) + local_rank;
}

// nullptr where there is no driver, or its memory cannot be had: a rank measures all the same.
Heartbeat* shared_with_driver() {
  const auto path = environment_variable(kHeartbeatsVariable);
  const auto local_rank = parse_number<std::size_t>(environment_variable("LOCAL_RANK"));
  if (path.empty() || !local_rank) return nullptr;
  const int memory = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (memory < 0) return nullptr;
  auto* own = mapped(memory, *local_rank);
  ::close(memory);  // the mapping stays
  if (own != nullptr) own->pid.store(::getpid(), std::memory_order_relaxed);
  return own;
}

}  // namespace

// One thread runs arms.
void tell_arm(const std::string& name) {
  static std::string told;
  if (told == name) return;
  told = name;
  own_heartbeat().name_arm(name);
}

Heartbeat& own_heartbeat() {
  static Heartbeat nobodys;
  static Heartbeat* const own = [] {
    auto* shared = shared_with_driver();
    return shared == nullptr ? &nobodys : shared;
  }();
  return *own;
}

}  // namespace ddpbench
