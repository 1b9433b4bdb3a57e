#pragma once
#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// Describes a process to start: tokens[0] is the program's path. It leads a session of its own (a Ctrl-C on the terminal reaches
// the driver only), has no standard input, and is killed by the system when the driver's main thread dies, whatever killed it.
struct ChildRequest {
  std::vector<std::string> tokens;
  std::map<std::string, std::string>
      environment;            // added to what the driver hands on of its own (suite/base/environment_rules.hpp)
  std::vector<int> cores;     // empty: unbound
  std::vector<int> kept_fds;  // the descriptors that the child inherits, under their own numbers
  std::string folder{};       // that it works in; "": the driver's
  std::chrono::duration<double> begins_within{0};  // 0: however long the system takes to execute the program
  bool shares_output = false;                      // writes where this process does; nobody reads it here
};

// Reports that the child was made, and did not come to its program in time; it has been killed.
class DidNotBegin : public CannotRun {
 public:
  using CannotRun::CannotRun;
};

// Holds a started process. Whoever holds it must reap it.
struct ChildProcess {
  pid_t pid = -1;
  FileDescriptor out, err;  // what it writes; non-blocking. Closed where it shares ours
};

// Starts a process. Throws CannotRun with the system's reason where the program cannot be executed, DidNotBegin where it is not
// in time.
ChildProcess start_child(const ChildRequest& request);

// Says how a child ended; `signal` 0: by itself.
struct ChildEnd {
  int exit_code = 0;
  int signal = 0;
  std::string why_killed{};  // "for memory: …": by the system, as far as that tells
};
ChildEnd child_end(int wait_status);  // as waitpid() tells it

// Returns what the system says of a process that signal 9 has just ended, a child's child for example; "" where it says nothing.
std::string why_killed();

// Returns the end of a child that has ended, or nothing; never waits. Reaps the child, and kills what it left running in its
// group.
std::optional<ChildEnd> reap_child(pid_t pid);

}  // namespace ddpbench
