#include "suite/launch/orphans.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "suite/launch/supervision/process_state.hpp"
#include "suite/launch/system_call.hpp"

namespace ddpbench {

Orphans::Orphans() : kept_(children_of(::getpid())) {
  ::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_);
  checked(::prctl(PR_SET_CHILD_SUBREAPER, 1), "cannot take over what ranks leave behind");
}

Orphans::~Orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_); }

// Each round may make its grandchildren ours.
void Orphans::end_all() const {
  while (true) {
    auto left = children_of(::getpid());
    std::erase_if(left, [this](pid_t child) { return std::find(kept_.begin(), kept_.end(), child) != kept_.end(); });
    if (left.empty()) return;
    for (const auto child : left) {
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
}

}  // namespace ddpbench
