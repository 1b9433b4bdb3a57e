#include "suite/launch/machines/shared_folder.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "suite/base/system_environment.hpp"

namespace ddpbench {

SharedFolder::SharedFolder(const std::string& name)
    : path_(std::filesystem::path(cache_folder()) / (name + "-" + host_name() + "-" + std::to_string(::getpid()))) {}

SharedFolder::~SharedFolder() {
  std::error_code absent;
  std::filesystem::remove_all(path_, absent);
}

}  // namespace ddpbench
