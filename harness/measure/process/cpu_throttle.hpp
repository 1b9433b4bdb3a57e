#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Tells for how long the system held this process back because a control group that it is in had used its quota of CPU time: its
// own group or one around it, as batch systems, systemd and containers set them, by version 1 or 2 of control groups.
class CpuThrottle {
 public:
  // Finds the groups from /proc/self/cgroup and /proc/self/mountinfo. `root`: stands before every path, for tests.
  explicit CpuThrottle(const std::string& root = "");

  // Returns the seconds since the groups were made, summed over them and their cores; 0 where the system counts nothing.
  double seconds() const;

  // Returns the files of counts that are read, innermost group first.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<std::string> files_;
};

}  // namespace ddpbench
