#pragma once
#include "suite/launch/processes/child_process.hpp"
#include "suite/launch/processes/launch_end.hpp"
#include "suite/launch/processes/output_lines.hpp"

namespace ddpbench {

// Owns the process that starts the agents of a launch (srun, ssh …). With the object it ends: asked first, killed two seconds
// later.
class LauncherProcess {
 public:
  // Throws CannotRun where it cannot be started.
  explicit LauncherProcess(const ChildRequest& request);
  ~LauncherProcess();
  LauncherProcess(const LauncherProcess&) = delete;
  LauncherProcess& operator=(const LauncherProcess&) = delete;

  // Hands on what it has said.
  void read(const OutputLines::Take& take);
  std::vector<int> fds() const { return {out_.fd(), err_.fd()}; }

  // Returns whether it has not ended; takes note of its end.
  bool runs();
  const ProcessEnd& end() const { return end_; }  // its last lines also while it runs

  void signal(int number) const;

 private:
  ChildProcess child_;
  OutputLines out_, err_;
  ProcessEnd end_;
  bool runs_ = true;
};

}  // namespace ddpbench
