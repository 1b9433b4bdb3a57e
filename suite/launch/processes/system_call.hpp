#pragma once
#include <cerrno>
#include <cstring>
#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {

// Returns the result of a system call, or throws CannotRun with the system's reason: nothing that we ask of the system here may
// fail on a machine that can measure.
inline int checked(int result, const std::string& what) {
  if (result < 0) throw CannotRun(what + ": " + std::strerror(errno));
  return result;
}

}  // namespace ddpbench
