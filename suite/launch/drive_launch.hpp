#pragma once
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"

namespace ddpbench {

// Drives a launch to its end, whatever happens; sleeps until there is something to do. When this process is asked to stop, so is the
// launch; when it is asked again, the launch ends at once. Throws CannotRun where the program could not be loaded on this machine: no
// launch after this one could run either.
LaunchEnd drive_to_end(RunningLaunch& launch, SignalInbox& inbox);

}  // namespace ddpbench
