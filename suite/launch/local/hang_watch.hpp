#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "suite/contract/heartbeat.hpp"
#include "suite/launch/launch_end.hpp"
#include "suite/launch/unique_fd.hpp"

namespace ddpbench {

// The heartbeats of a launch's ranks on this machine, and who has not moved for how long. A rank moves when it changes its phase or
// uses its core: a long forward pass is no hang. Before its first step it also moves when it comes to another stage of its start, or touches new
// memory or reads: a library or data that come slowly from a shared file system are no hang either. Looking costs some ten microseconds a rank and is done every
// second or so.
class HangWatch {
 public:
  // Throws CannotRun where the system gives no shared memory.
  explicit HangWatch(std::size_t ranks);

  // Where ranks of this machine find their memory while this object lives ($DDPBENCH_HEARTBEATS).
  std::string path() const;

  // The process of a rank as it says itself; -1: it has not begun.
  pid_t pid_of(std::size_t rank) const;

  // `pids` by rank, -1: ended. `launcher`: the process that starts the ranks for the driver; -1: none. Does nothing within `interval` after
  // the last look.
  using Clock = std::chrono::steady_clock;
  void look(std::span<const pid_t> pids, Clock::time_point now, Clock::duration interval, pid_t launcher = -1);

  // The hang, where no running rank has moved for `patience`; or, where none runs any more, the launcher has not.
  std::optional<Hang> all_still(std::span<const pid_t> pids, std::chrono::duration<double> patience) const;

  // The hang that rank `rank`, which has ended, gave up waiting for: it had stood still for `patience`, and so has one that runs.
  std::optional<Hang> given_up_by(std::size_t rank, std::span<const pid_t> pids, std::chrono::duration<double> patience) const;

 private:
  struct Unmap {
    std::size_t ranks;
    void operator()(Heartbeat* heartbeats) const;
  };
  struct Watched {
    const Heartbeat* heartbeat = nullptr;  // nullptr: of the launcher
    std::int64_t phase_changes = 0;        // at the last look, as all that follows
    StartUp start_up = StartUp::kLoading;
    double cpu_seconds = 0;
    double page_faults = 0;
    double bytes_read = 0;
    auto progress() const { return std::pair(phase_changes, start_up); }
    std::chrono::duration<double> still{0};
    std::chrono::duration<double> was_still{0};  // before it moved last: a rank that gives up moves once more on its way out
  };
  void look_at(Watched& watched, pid_t pid, std::chrono::duration<double> passed);
  Hang hang_of(std::span<const pid_t> pids, const std::vector<std::size_t>& still) const;
  std::string where(std::size_t rank) const;

  UniqueFd memory_;
  std::unique_ptr<Heartbeat[], Unmap> heartbeats_;
  std::vector<Watched> ranks_;
  Watched launcher_;
  pid_t launcher_pid_ = -1;
  std::optional<Clock::time_point> looked_;
};

}  // namespace ddpbench
