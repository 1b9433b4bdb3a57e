#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// The folders of the control groups that this process is in, by version 1 or 2, of the hierarchy that shares out what `controller` names ("cpu",
// "memory"): its own first, then those around it up to the mount. Found from /proc/self/cgroup and /proc/self/mountinfo. `root`: stands before every
// path, for tests.
std::vector<std::string> control_group_folders(std::string_view controller, const std::string& root = "");

}  // namespace ddpbench
