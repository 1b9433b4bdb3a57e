#include "suite/launch/processes/process_state.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite/launch/supervision/process_activity.hpp"

namespace ddpbench {
namespace {

[[noreturn]] void compute_for_ever() {
  while (true) asm volatile("");
}

// A process that sleeps while its child computes, as a rank does that waits for a compiler.
class SleepingParent {
 public:
  SleepingParent() : pid_(::fork()) {
    if (pid_ != 0) return;
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::fork() == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      compute_for_ever();
    }
    while (true) ::pause();
  }
  ~SleepingParent() {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  SleepingParent(const SleepingParent&) = delete;
  SleepingParent& operator=(const SleepingParent&) = delete;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(ProcessState, WhatTheProcessesBelowItUseIsSeenBeforeItsFirstSuperBlock) {
  const SleepingParent parent;
  while (cpu_seconds_below(parent.pid()) < 0.1) ::usleep(10'000);
  EXPECT_LT(process_state(parent.pid()).cpu_seconds, 0.05);
  Heartbeat heartbeat;
  EXPECT_GE(observe_process(parent.pid(), &heartbeat).cpu_seconds, 0.1);
  heartbeat.super_blocks = 1;
  EXPECT_LT(observe_process(parent.pid(), &heartbeat).cpu_seconds, 0.05);
}

// In its own reaped children's time, too.
TEST(ProcessState, AChildThatHasEndedStaysCounted) {
  const auto before = cpu_seconds_below(::getpid());
  if (const auto child = ::fork(); child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    compute_for_ever();
  } else {
    while (process_state(child).cpu_seconds < 0.05) ::usleep(10'000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  EXPECT_GE(cpu_seconds_below(::getpid()), before + 0.04);
}

}  // namespace
}  // namespace ddpbench
