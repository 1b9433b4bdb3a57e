#pragma once
#include <cstddef>
#include <string_view>

#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/child_process.hpp"
#include "suite/launch/processes/output_lines.hpp"

namespace ddpbench {

// Holds one started rank, its last words and its end. Owned by LocalLaunch; reaps its process.
class RankProcess {
 public:
  RankProcess(std::size_t rank, ChildProcess child, const LaunchListener& listener);

  bool is_running() const { return running_; }
  const ProcessEnd& end() const { return end_; }
  pid_t pid() const { return running_ ? pid_ : -1; }  // -1: ended
  int out_fd() const { return out_.fd(); }
  int err_fd() const { return err_.fd(); }

  void read_output();
  void signal_group(int signal);  // to the rank and all that it started

  // Takes note of the rank's end, once it has ended; kills what it left running in its group. Returns true if it ended now.
  bool reap();

 private:
  void take_line(std::string_view line, bool is_error);

  std::size_t rank_;
  pid_t pid_;
  OutputLines out_, err_;
  const LaunchListener& listener_;
  ProcessEnd end_;
  bool running_ = true;
};

// Hands on a line that a rank said: to the display, or to the listener of lines.
void hand_on(std::size_t rank, std::string_view line, const LaunchListener& listener);

}  // namespace ddpbench
