#include "suite/launch/processes/captured_run.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "suite/base/deadline.hpp"
#include "suite/launch/processes/launch_end.hpp"
#include "suite/launch/processes/read_available.hpp"

namespace ddpbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBetweenLooks = 50;  // milliseconds: whether it has ended

// Returns where the next unheard line begins.
std::size_t hear_lines(const std::string& text, std::size_t begin, const LineListener& heard) {
  for (auto end = text.find('\n', begin); end != std::string::npos; end = text.find('\n', begin)) {
    if (heard) heard(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return begin;
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

// Until it has ended: what it has forked away may keep its output open. False at the deadline.
bool read_until_closed(ChildProcess& child, CapturedRun& run, Clock::time_point deadline, const LineListener& heard) {
  std::size_t unheard = 0;
  while (child.out.is_open() || child.err.is_open()) {
    std::array<pollfd, 2> polled{{{child.out.number(), POLLIN, 0}, {child.err.number(), POLLIN, 0}}};
    const bool is_last = has_ended(child.pid);
    ::poll(polled.data(), polled.size(), is_last ? 0 : std::min(milliseconds_until(deadline), kBetweenLooks));
    read_available(child.out, run.out);
    read_available(child.err, run.err);
    unheard = hear_lines(run.err, unheard, heard);
    if (is_last) return true;
    if (Clock::now() >= deadline) return false;
  }
  return true;
}

}  // namespace

std::string how_it_ended(const CapturedRun& run) {
  if (run.timed_out_s > 0) return "gave no answer in " + std::to_string(static_cast<int>(run.timed_out_s)) + " s and was stopped";
  return exit_text(run.exit_code, run.signal) + (run.why_killed.empty() ? "" : ", " + run.why_killed);
}

CapturedRun run_captured(const ChildRequest& request, double timeout_seconds, const LineListener& heard) {
  CapturedRun run;
  auto bounded = request;
  bounded.begins_within = std::chrono::duration<double>(timeout_seconds);
  auto child = start_child(bounded);
  const auto deadline = Clock::now() + std::chrono::ceil<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  if (!read_until_closed(child, run, deadline, heard)) {
    run.timed_out_s = timeout_seconds;
    ::kill(child.pid, SIGKILL);
  }
  siginfo_t
      info{};  // looked at first and reaped last: until then no new process can get its number, so the group is still its own
  while (::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  ::kill(-child.pid, SIGKILL);
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  const auto end = child_end(status);
  run.exit_code = end.exit_code;
  run.signal = end.signal;
  if (run.signal == SIGKILL && run.timed_out_s == 0) run.why_killed = why_killed();
  return run;
}

}  // namespace ddpbench
