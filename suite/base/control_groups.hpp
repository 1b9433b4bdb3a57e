#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Returns the folders of this process's control groups (version 1 or 2) in the hierarchy that shares out `controller` ("cpu",
// "memory"): its own first, then those around it up to the mount. Reads /proc/self/cgroup and /proc/self/mountinfo. `root` stands
// before every path, for tests.
std::vector<std::string> control_group_folders(std::string_view controller, const std::string& root = "");

}  // namespace ddpbench
