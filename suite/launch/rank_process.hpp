#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "suite/launch/child_process.hpp"
#include "suite/launch/launch_end.hpp"
#include "suite/launch/rank_progress.hpp"

namespace ddpbench {

// Who hears what the ranks say while they run.
struct RankListener {
  std::function<void(std::size_t rank, std::string_view line)> said;
  std::function<void(const RankProgress&)> progressed;  // rank 0 only; such lines are not `said`
};

// One started rank: its pipes cut into lines, its last words, its end. Owned by RankProcesses; reaps its process.
class RankProcess {
 public:
  RankProcess(std::size_t rank, ChildProcess child, const RankListener& listener);

  bool is_running() const { return running_; }
  const RankEnd& end() const { return end_; }
  pid_t pid() const { return running_ ? child_.pid : -1; }  // -1: ended
  int out_fd() const { return child_.out.get(); }
  int err_fd() const { return child_.err.get(); }

  void read_output();
  void signal_group(int signal) const;  // to the rank and all that it started

  // Takes note of the rank's end, once it has ended; what it left running in its group is killed. True if it ended now.
  bool reap();

 private:
  void take_lines(std::string& text, bool is_error);
  void take_line(std::string_view line, bool is_error);
  void flush_output();

  std::size_t rank_;
  ChildProcess child_;
  const RankListener& listener_;
  std::string out_text_, err_text_;
  RankEnd end_;
  bool running_ = true;
};

}  // namespace ddpbench
