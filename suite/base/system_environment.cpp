#include "suite/base/system_environment.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace ddpbench {

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string cache_folder() {
  if (const auto base = environment_variable("XDG_CACHE_HOME"); base.rfind('/', 0) == 0) return base + "/ddpbench";
  const auto home = environment_variable("HOME");
  return home.empty() ? "" : home + "/.cache/ddpbench";
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace ddpbench
