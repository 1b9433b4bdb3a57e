#include "suite/launch/processes/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

std::string made_folder(const std::string& name) {
  auto parent = environment_variable("TMPDIR");
  if (parent.empty()) parent = "/tmp";
  auto pattern = parent + "/" + name + "-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw file_error("cannot make a folder in", parent, errno);
  return pattern;
}

// Reads until nobody holds the other end any more. In a session of its own: what ends this process may be sent to its group, too.
[[noreturn]] void become_remover(int waits_at, const char* path) {
  ::setsid();
  ::dup2(waits_at, STDIN_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::execl("/bin/sh", "sh", "-c", "read -r _; exec rm -rf -- \"$0\"", path, nullptr);
  ::_exit(127);
}

}  // namespace

// Without a remover the folder still goes with the object.
TemporaryFolder::TemporaryFolder(const std::string& name) : path_(made_folder(name)) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const FileDescriptor waits_at(ends[0]);
  end_ = FileDescriptor(ends[1]);
  remover_ = ::fork();
  if (remover_ == 0) {
    ::close(end_.number());
    become_remover(waits_at.number(), path_.c_str());
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  end_.close();
  if (remover_ > 0) ::waitpid(remover_, nullptr, 0);
}

}  // namespace ddpbench
