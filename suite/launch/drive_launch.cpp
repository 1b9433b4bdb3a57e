#include "suite/launch/drive_launch.hpp"

#include <poll.h>

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/library_errors.hpp"

namespace ddpbench {
namespace {

// A child that ends is told by the inbox: SIGCHLD.
void sleep_until_news(const RunningLaunch::Wakeup& wakeup, const SignalInbox& inbox) {
  std::vector<pollfd> polled{{inbox.fd(), POLLIN, 0}};
  for (const int fd : wakeup.readable) polled.push_back({fd, POLLIN, 0});
  const auto wait = wakeup.after.value_or(std::chrono::milliseconds(-1)).count();
  ::poll(polled.data(), polled.size(), static_cast<int>(wait));
}

void require_loaded(const LaunchEnd& end) {
  for (const auto& rank : end.ranks) {
    if (!rank || rank->exit_code != kLoaderFailed) continue;
    const auto said = rank->last_lines.empty() ? "it said nothing" : rank->last_lines.back();
    if (said.find(kNoMoreMemory) != std::string::npos) {
      const auto limit = rank->host.empty() ? explain_library_error(said) : "";  // another node has limits of its own
      throw CannotRun("the worker cannot start: " + said + (limit.empty() ? "" : "\n" + limit));
    }
    throw CannotRun("the worker cannot start: " + said +
                    "\nLibTorch is missing or was moved; get it with ./bootstrap.sh build, then continue with --resume");
  }
}

}  // namespace

LaunchEnd drive_to_end(RunningLaunch& launch, SignalInbox& inbox) {
  int obeyed = 0;
  std::optional<LaunchEnd> end;
  while (true) {
    inbox.receive();
    end = launch.poll();
    if (end) break;
    for (; obeyed < inbox.stops(); ++obeyed) launch.stop();
    sleep_until_news(launch.wakeup(), inbox);
  }
  require_loaded(*end);
  end->stopped_by_signal = obeyed > 0;
  if (obeyed > 0) end->stop_signal = inbox.stop_signal();
  return *std::move(end);
}

}  // namespace ddpbench
