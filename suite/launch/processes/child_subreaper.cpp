#include "suite/launch/processes/child_subreaper.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "suite/launch/processes/process_state.hpp"
#include "suite/launch/processes/system_call.hpp"

namespace ddpbench {

ChildSubreaper::ChildSubreaper() : kept_(children_of(::getpid())) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  checked(::prctl(PR_SET_CHILD_SUBREAPER, 1), "cannot take over what ranks leave behind");
}

ChildSubreaper::~ChildSubreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_); }

// Each round may make its grandchildren ours. One whose file system does not answer cannot be killed: it is left after a while.
void ChildSubreaper::end_all() const {
  constexpr std::chrono::seconds kPatience{5};
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    auto left = children_of(::getpid());
    std::erase_if(left, [this](pid_t child) { return std::find(kept_.begin(), kept_.end(), child) != kept_.end(); });
    if (left.empty()) return;
    bool any_ended = false;
    for (const auto child : left) {
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);
      any_ended = ::waitpid(child, nullptr, WNOHANG) == child || any_ended;
    }
    if (any_ended) continue;
    if (std::chrono::steady_clock::now() > deadline) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace ddpbench
