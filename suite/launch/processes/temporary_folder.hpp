#pragma once
#include <sys/types.h>

#include <string>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// Makes a folder in $TMPDIR that goes with this object, and also where this process is killed: a shell that waits for its end
// removes it then.
class TemporaryFolder {
 public:
  // `name`: what its name begins with. Throws Error where it cannot be made.
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  FileDescriptor end_;  // closed by the end of this process, whatever ends it
  pid_t remover_ = -1;
};

}  // namespace ddpbench
