#include "suite/launch/supervision/sight.hpp"

#include "suite/launch/processes/process_state.hpp"

namespace ddpbench {

Sight sight_of(pid_t pid, const Heartbeat* heartbeat) {
  Sight sight;
  if (heartbeat != nullptr) {
    sight.phase_changes = heartbeat->phase_changes.load(std::memory_order_relaxed);
    sight.super_blocks = heartbeat->super_blocks.load(std::memory_order_relaxed);
    sight.phase = heartbeat->phase.load(std::memory_order_relaxed);
    sight.start_up = heartbeat->start_up.load(std::memory_order_relaxed);
    sight.waits_ms = heartbeat->waits_ms.load(std::memory_order_relaxed);
  }
  if (pid <= 0) return sight;
  const auto state = process_state(pid);
  sight.runs = true;
  sight.is_stopped = state.stopped;
  sight.cpu_seconds = state.cpu_seconds;
  sight.page_faults = state.page_faults;
  if (heartbeat == nullptr) return sight;
  if (sight.super_blocks == 0) sight.cpu_seconds += cpu_seconds_below(pid);  // a compiler of torch.compile's, for example
  if (sight.phase_changes == 0) sight.bytes_read = bytes_read_by(pid);
  return sight;
}

}  // namespace ddpbench
