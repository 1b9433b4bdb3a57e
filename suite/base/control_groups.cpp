#include "suite/base/control_groups.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// Where a hierarchy of groups can be seen: the group `root` is the folder `point`.
struct Mount {
  std::string root, point;
};

// The group of this process in one hierarchy, cgroups(7) (/proc/self/cgroup: "4:cpu,cpuacct:/slurm/job_7", "0::/user.slice").
struct Membership {
  bool is_version_2 = false;
  std::string path;
};

bool is_in(std::string_view controllers, std::string_view name) { return holds(split(controllers, ','), name); }

// Nothing where the hierarchy is of other controllers.
std::optional<Membership> membership_from(const std::string& line, std::string_view controller) {
  const auto first = line.find(':');
  const auto second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const auto controllers = std::string_view(line).substr(first + 1, second - first - 1);
  if (!controllers.empty() && !is_in(controllers, controller)) return std::nullopt;
  return Membership{controllers.empty(), line.substr(second + 1)};
}

// "36 35 98:0 /group /sys/fs/cgroup rw,noatime shared:1 - cgroup2 cgroup rw,cpu" (proc(5)): root and point are the fourth and fifth field, the
// type and the options stand behind the dash.
std::optional<Mount> mount_from(const std::string& line, const Membership& of, std::string_view controller) {
  const auto dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  Mount mount;
  std::string number, parent, device, type, source, options;
  std::istringstream(line.substr(0, dash)) >> number >> parent >> device >> mount.root >> mount.point;
  std::istringstream(line.substr(dash + 3)) >> type >> source >> options;
  const bool fits = of.is_version_2 ? type == "cgroup2" : type == "cgroup" && is_in(options, controller);
  return fits ? std::optional(mount) : std::nullopt;
}

std::vector<Mount> mounts_of(const std::string& mountinfo, const Membership& of, std::string_view controller) {
  std::vector<Mount> mounts;
  std::ifstream file(mountinfo);
  for (std::string line; std::getline(file, line);) {
    if (auto mount = mount_from(line, of, controller)) mounts.push_back(*std::move(mount));
  }
  return mounts;
}

// The group's path below the mount; "" where it lies elsewhere, as in a container that sees its own group only, as a root.
std::string below(const Mount& mount, const std::string& path) {
  const auto root = mount.root == "/" ? "" : mount.root;
  const bool is_below = path.starts_with(root + "/") && path.find("/..") == std::string::npos;
  return is_below ? path.substr(root.size() + 1) : "";
}

void add_folders(const fs::path& point, const std::string& group, std::vector<std::string>& folders) {
  for (fs::path part = group;; part = part.parent_path()) {
    const auto folder = part.empty() ? point.string() : (point / part).string();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
    if (part.empty()) return;
  }
}

}  // namespace

std::vector<std::string> control_group_folders(std::string_view controller, const std::string& root) {
  std::vector<std::string> folders;
  std::ifstream memberships(root + "/proc/self/cgroup");
  for (std::string line; std::getline(memberships, line);) {
    const auto membership = membership_from(line, controller);
    if (!membership) continue;
    for (const auto& mount : mounts_of(root + "/proc/self/mountinfo", *membership, controller))
      add_folders(root + mount.point, below(mount, membership->path), folders);
  }
  return folders;
}

}  // namespace ddpbench
