#pragma once
#include <string>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// Is held by the one process that writes a results folder, and released with the process however it ends. Advisory: on a file
// system without locks there is none.
class FolderLock {
 public:
  // Throws UsageError where another process holds it.
  explicit FolderLock(const std::string& folder);

 private:
  FileDescriptor file_;
};

}  // namespace ddpbench
