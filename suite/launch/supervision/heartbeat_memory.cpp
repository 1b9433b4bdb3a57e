#include "suite/launch/supervision/heartbeat_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "suite/base/errors.hpp"
#include "suite/launch/processes/system_call.hpp"

namespace ddpbench {

void HeartbeatMemory::Unmap::operator()(Heartbeat* heartbeats) const { ::munmap(heartbeats, ranks * sizeof(Heartbeat)); }

// Memory and not a file on a disk: a page of such a file is written back now and then, and the store that follows waits for the disk.
HeartbeatMemory::HeartbeatMemory(std::size_t ranks) : heartbeats_(nullptr, Unmap{ranks}) {
  constexpr const char* kWhy = "cannot share memory with the ranks";
  const auto bytes = ranks * sizeof(Heartbeat);
  memory_ = FileDescriptor(checked(::memfd_create("ddpbench-heartbeats", MFD_CLOEXEC), kWhy));
  checked(::ftruncate(memory_.number(), static_cast<off_t>(bytes)), kWhy);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.number(), 0);
  checked(memory == MAP_FAILED ? -1 : 0, kWhy);
  heartbeats_.reset(static_cast<Heartbeat*>(memory));
  for (std::size_t rank = 0; rank < ranks; ++rank) new (&heartbeats_[rank]) Heartbeat;
}

std::string HeartbeatMemory::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(memory_.number());
}

const Heartbeat& HeartbeatMemory::of(std::size_t rank) const {
  if (rank >= heartbeats_.get_deleter().ranks) throw Error("no heartbeat of rank " + std::to_string(rank));
  return heartbeats_[rank];
}

pid_t HeartbeatMemory::pid_of(std::size_t rank) const {
  const auto pid = of(rank).pid.load(std::memory_order_relaxed);
  return pid > 0 ? pid : -1;
}

}  // namespace ddpbench
