#pragma once
#include <optional>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/progress.hpp"

namespace ddpbench {

// Returns what the ranks of a launch said of its end, by rank; nothing: one left no word. Takes a word that cannot be read for
// that of a rank that failed.
std::vector<std::optional<Outcome>> read_outcomes(const LaunchSpec& spec);

// Judges how a launch ended, by its processes and by its ranks' words. A launch that failed because the job is over, as the
// launcher says, was stopped (`partial`), and no other can start: `job_is_over`.
struct JudgedLaunch {
  LaunchOutcome ended;
  bool job_is_over = false;
};
JudgedLaunch judged(const Launcher& launcher, const LaunchSpec& spec, const LaunchEnd& end);

// Starts the ranks of a launch that is no part of a sweep, and drives them to its end. `listener` hears what they say.
JudgedLaunch outcome_of_ranks(const Launcher& launcher, const LaunchSpec& spec, const Program& program, SignalInbox& inbox,
                              const LaunchListener& listener);

// Returns a listener that shows on `display`, which outlives it, what ranks say and how far they are.
LaunchListener shown_on(ProgressDisplay& display);

}  // namespace ddpbench
