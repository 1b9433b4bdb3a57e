#include "suite/launch/processes/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/library_errors.hpp"
#include "suite/base/memory_kills.hpp"
#include "suite/base/node_layout.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/processes/core_variables.hpp"
#include "suite/launch/processes/system_call.hpp"

extern char** environ;

namespace ddpbench {
namespace {

struct Pipe {
  FileDescriptor read, write;
};

Pipe open_pipe() {
  std::array<int, 2> ends{};
  checked(::pipe2(ends.data(), O_CLOEXEC), "cannot open a pipe");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// What this process hands on to such a program, and what is added.
std::vector<std::string> environment_of(const ChildRequest& request) {
  const auto& added = request.environment;
  const auto program = std::filesystem::path(request.tokens.front()).filename().string();
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('='));
    if (added.count(std::string(name)) == 0 && name != kCoresVariable && is_handed_on(name, program)) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  if (!is_submitting(program))
    merged.push_back(std::string(kCoresVariable) + "=" +
                     list_of_numbers(request.cores.empty() ? allowed_cores() : request.cores));
  return merged;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Everything that the child needs after fork, made before it: from then on only system calls are safe.
struct Prepared {
  std::vector<std::string> tokens, environment;
  std::vector<char*> argv, envp;
  std::vector<unsigned long> mask;
  std::vector<int> kept_fds;
  std::string folder;
  bool shares_output;
  pid_t parent;
  FileDescriptor no_input;
  Pipe out, err, failure;

  explicit Prepared(const ChildRequest& request)
      : tokens(request.tokens),
        environment(environment_of(request)),
        argv(pointers_to(tokens)),
        envp(pointers_to(environment)),
        mask(core_mask(request.cores)),
        kept_fds(request.kept_fds),
        folder(request.folder),
        shares_output(request.shares_output),
        parent(::getpid()),
        no_input(checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "cannot open /dev/null")),
        out(open_pipe()),
        err(open_pipe()),
        failure(open_pipe()) {}
};

void restore_signals() {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD}) ::signal(number, SIG_DFL);
}

bool wire_descriptors(const Prepared& prepared) {
  const bool has_output = prepared.shares_output || (::dup2(prepared.out.write.number(), STDOUT_FILENO) >= 0 &&
                                                     ::dup2(prepared.err.write.number(), STDERR_FILENO) >= 0);
  const bool wired = has_output && ::dup2(prepared.no_input.number(), STDIN_FILENO) >= 0;
  return wired &&
         std::all_of(prepared.kept_fds.begin(), prepared.kept_fds.end(), [](int kept) { return ::fcntl(kept, F_SETFD, 0) >= 0; });
}

bool bind_cores(const Prepared& prepared) {
  if (prepared.mask.empty()) return true;
  const auto* set = reinterpret_cast<const cpu_set_t*>(prepared.mask.data());
  return ::sched_setaffinity(0, prepared.mask.size() * sizeof(unsigned long), set) == 0;
}

bool enter_folder(const Prepared& prepared) { return prepared.folder.empty() || ::chdir(prepared.folder.c_str()) == 0; }

// The death signal is set after fork, so a parent that died in between is noticed by its changed id.
[[noreturn]] void become_program(const Prepared& prepared) {
  restore_signals();
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != prepared.parent) ::_exit(1);
  const bool is_ready = bind_cores(prepared) && wire_descriptors(prepared) && enter_folder(prepared);
  if (is_ready) ::execve(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(prepared.failure.write.number(), &reason, sizeof(reason));
  ::_exit(127);
}

// The system's reason why it could not begin; 0: it has begun, or has died before. Nothing where neither is so within `patience`.
std::optional<int> start_failure(const FileDescriptor& failure, std::chrono::duration<double> patience) {
  pollfd closed_by_exec{failure.number(), POLLIN, 0};
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  int ready = 0;
  do ready = ::poll(&closed_by_exec, 1, wait > 0 ? static_cast<int>(wait) : -1);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) return std::nullopt;
  int reason = 0;
  return ::read(failure.number(), &reason, sizeof(reason)) == static_cast<ssize_t>(sizeof(reason)) ? reason : 0;
}

// As the last of this process's children began, or when one that was killed was told of.
MemoryKills& known_kills() {
  static MemoryKills kills;
  return kills;
}

std::string text_of_seconds(std::chrono::duration<double> time) { return shortest_text(time.count()) + " s"; }

}  // namespace

ChildProcess start_child(const ChildRequest& request) {
  known_kills() = memory_kills();
  Prepared prepared(request);
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int reason = errno;
    throw CannotRun(std::string("cannot start a process: ") + std::strerror(reason) +
                    (reason == EAGAIN ? "; " + process_limit_phrase() : ""));
  }
  if (pid == 0) become_program(prepared);
  prepared.failure.write.close();
  const auto failure = start_failure(prepared.failure.read, request.begins_within);
  if (failure != 0) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    const auto program = request.tokens.front();
    if (!failure) throw DidNotBegin(program + " did not begin within " + text_of_seconds(request.begins_within));
    throw CannotRun("cannot start " + program + ": " + std::strerror(*failure));
  }
  if (request.shares_output) return {pid, {}, {}};
  for (const auto* pipe : {&prepared.out.read, &prepared.err.read}) {
    checked(::fcntl(pipe->number(), F_SETFL, O_NONBLOCK), "cannot set a pipe to non-blocking");
  }
  return {pid, std::move(prepared.out.read), std::move(prepared.err.read)};
}

ChildEnd child_end(int wait_status) {
  return {WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0, WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0, ""};
}

std::string why_killed() {
  auto why = why_killed_since(known_kills());
  known_kills() = memory_kills();
  return why;
}

std::optional<ChildEnd> reap_child(pid_t pid) {
  // Looked at first and reaped last: until then no new process can get its number, so the group is still its own.
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return std::nullopt;
  ::kill(-pid, SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  auto end = child_end(status);
  if (end.signal == SIGKILL) end.why_killed = why_killed();
  return end;
}

}  // namespace ddpbench
