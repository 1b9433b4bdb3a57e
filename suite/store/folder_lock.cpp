#include "suite/store/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace ddpbench {

FolderLock::FolderLock(const std::string& folder) : file_(open_file(folder, O_RDONLY | O_DIRECTORY)) {
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw UsageError("another ddpbench is writing to " + folder + ": wait for it, or choose another --out");
  }
}

}  // namespace ddpbench
