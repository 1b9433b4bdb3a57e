#include "suite/launch/supervision/process_activity.hpp"

#include "suite/launch/processes/process_state.hpp"

namespace ddpbench {

ProcessActivity observe_process(pid_t pid, const Heartbeat* heartbeat) {
  ProcessActivity activity;
  if (heartbeat != nullptr) {
    activity.phase_changes = heartbeat->phase_changes.load(std::memory_order_relaxed);
    activity.super_blocks = heartbeat->super_blocks.load(std::memory_order_relaxed);
    activity.phase = heartbeat->phase.load(std::memory_order_relaxed);
    activity.start_up = heartbeat->start_up.load(std::memory_order_relaxed);
    activity.waits_ms = heartbeat->waits_ms.load(std::memory_order_relaxed);
    activity.collectives = heartbeat->collectives.load(std::memory_order_relaxed);
    activity.collective_bytes = heartbeat->collective_bytes.load(std::memory_order_relaxed);
    activity.collective = heartbeat->collective.load(std::memory_order_relaxed);
    activity.arm = heartbeat->arm_name();
  }
  if (pid <= 0) return activity;
  const auto state = process_state(pid);
  activity.runs = true;
  activity.is_stopped = state.stopped;
  activity.cpu_seconds = state.cpu_seconds;
  activity.page_faults = state.page_faults;
  if (heartbeat == nullptr) return activity;
  if (activity.super_blocks == 0) activity.cpu_seconds += cpu_seconds_below(pid);  // a compiler of torch.compile's, for example
  if (activity.phase_changes == 0) activity.bytes_read = bytes_read_by(pid);
  return activity;
}

}  // namespace ddpbench
