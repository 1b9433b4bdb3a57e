#include "suite/launch/processes/find_program.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "suite/base/system_environment.hpp"

namespace ddpbench {

std::string find_program(const std::string& name) {
  std::istringstream folders(environment_variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto path = folder + "/" + name;
    std::error_code unreadable;
    const bool is_there = folder.starts_with('/') && std::filesystem::is_regular_file(path, unreadable);
    if (is_there && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::string program_to_show(const std::string& name) {
  const auto path = find_program(name);
  return path.empty() ? name : path;
}

}  // namespace ddpbench
