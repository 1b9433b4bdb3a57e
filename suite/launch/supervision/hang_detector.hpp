#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "suite/launch/processes/launch_end.hpp"
#include "suite/launch/supervision/process_activity.hpp"

namespace ddpbench {

// Bounds a phase of a rank that measures: no phase of a training takes so many times as long as its longest.
inline constexpr double kTimesTheLongest = 10;

// Finds out who of a launch has not moved for how long, wherever it runs: it is told what others see. A rank moves when it
// changes its phase or uses its core: a long forward pass is no hang, nor is a compiler that it has started before its first
// super-block. Before its first step it also moves when it comes to another stage of its start, or touches new memory or reads: a
// library or data that come slowly from a shared file system are no hang either. All that has a limit of its own: a helper, or a
// training loop, that spins hides no hang for ever.
class HangDetector {
 public:
  // Takes what each rank is called: "rank 1".
  explicit HangDetector(std::vector<std::string> names);

  using Clock = std::chrono::steady_clock;

  // Returns whether `interval` has passed since the last look. Looking costs some ten microseconds a rank and is done every
  // second or so.
  bool is_due(Clock::time_point now, Clock::duration interval) const { return !looked_ || now - *looked_ >= interval; }

  // Takes note of a look. `ranks`: what is seen of each now. `launcher`: of the process that starts the ranks for the driver,
  // where there is one.
  void look(std::span<const ProcessActivity> ranks, Clock::time_point now, Clock::duration interval,
            const ProcessActivity& launcher = {});

  // Returns the hang, where no rank that runs has moved for `patience`, or one that is stopped has not: what the others do leads
  // nowhere. Where none runs any more, the launcher's. `running`: by rank.
  std::optional<Hang> all_still(const std::vector<bool>& running, std::chrono::duration<double> patience) const;

  // Returns the hang, where every rank that runs has been for `limit` in one phase or one stage of its start, whether it computes
  // or not; once it measures also for kTimesTheLongest times as long as in any phase before.
  std::optional<Hang> all_stuck(const std::vector<bool>& running, std::chrono::duration<double> limit) const;

  // Returns how long collectives of a rank wait for peers, as it told last; 0: it has not.
  std::chrono::duration<double> limit_of(std::size_t rank) const;

  // Returns the hang that rank `rank`, which has ended, gave up waiting for, which its collectives do after `limit`: it had stood
  // still for half of that, and so has one that runs; or for all of it, and one that runs was in one place for as long, and
  // behind. `interval`: between looks.
  std::optional<Hang> given_up_by(std::size_t rank, const std::vector<bool>& running, std::chrono::duration<double> limit,
                                  std::chrono::duration<double> interval) const;

 private:
  struct Watched {
    std::string name;
    ProcessActivity seen{};  // at the last look
    std::chrono::duration<double> still{0};
    std::chrono::duration<double> was_still{0};  // before it moved last: a rank that gives up moves once more on its way out
    std::chrono::duration<double> in_place{0};   // in one phase or one stage of its start, whether it computes or not
    std::chrono::duration<double> longest{0};    // that it was in one phase before
    auto progress() const { return std::pair(seen.phase_changes, seen.start_up); }
  };
  static void look_at(Watched& watched, const ProcessActivity& activity, std::chrono::duration<double> passed);
  Hang hang_of(const std::vector<std::size_t>& still) const;
  std::string unmatched_collectives() const;
  const Watched& last_of(const std::vector<std::size_t>& ranks) const;  // the one that is behind

  std::vector<Watched> ranks_;
  Watched launcher_{"the launcher"};
  std::optional<Clock::time_point> looked_;
};

}  // namespace ddpbench
