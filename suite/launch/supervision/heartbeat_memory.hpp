#pragma once
#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>

#include "suite/base/file_descriptor.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {

// Holds the heartbeats of ranks of this machine, in memory that they share with this process.
class HeartbeatMemory {
 public:
  // Throws CannotRun where the system gives no shared memory.
  explicit HeartbeatMemory(std::size_t ranks);

  // Returns where ranks of this machine find their memory while this object lives ($DDPBENCH_HEARTBEATS).
  std::string path() const;

  const Heartbeat& of(std::size_t rank) const;

  // Returns the process of a rank as it says itself; -1: it has not begun.
  pid_t pid_of(std::size_t rank) const;

 private:
  struct Unmap {
    std::size_t ranks;
    void operator()(Heartbeat* heartbeats) const;
  };
  FileDescriptor memory_;
  std::unique_ptr<Heartbeat[], Unmap> heartbeats_;
};

}  // namespace ddpbench
