#include "suite/base/durable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ddpbench {
namespace {

const std::string kDiskFull = "disk full: ";
constexpr unsigned kFileMode = 0666;  // less the user's umask

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Some file systems cannot sync a folder (EINVAL): their renames are then as durable as they get.
void sync_folder(const std::string& folder) {
  const auto file = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (::fsync(file.number()) != 0 && errno != EINVAL) throw file_error("cannot sync", folder, errno);
}

// The file beside the real one. Removed unless it took the real one's place.
class Draft {
 public:
  explicit Draft(std::string path) : path_(std::move(path)) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (!published_) ::unlink(path_.c_str());
  }
  void write(std::string_view text) const {
    const auto file = open_file(path_, O_WRONLY | O_CREAT | O_TRUNC);
    write_all(file, text, path_);
    sync_file(file, path_);
  }
  void publish(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) throw file_error("cannot write", target, errno);
    published_ = true;
    sync_folder(folder_of(target));
  }

 private:
  std::string path_;
  bool published_ = false;
};

}  // namespace

Error file_error(const std::string& action, const std::string& path, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  return Error((full ? kDiskFull : "") + action + " " + path + ": " + std::generic_category().message(error_number));
}

bool is_disk_full(const Error& error) { return std::string_view(error.what()).starts_with(kDiskFull); }

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) ::close(number_);
}

FileDescriptor open_file(const std::string& path, int flags) {
  const int number = ::open(path.c_str(), flags | O_CLOEXEC, kFileMode);
  if (number < 0) throw file_error((flags & (O_WRONLY | O_RDWR)) != 0 ? "cannot write" : "cannot read", path, errno);
  return FileDescriptor(number);
}

void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw file_error("cannot write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_file(const FileDescriptor& file, const std::string& path) {
  if (::fsync(file.number()) != 0) throw file_error("cannot sync", path, errno);
}

std::string read_file(const std::string& path) {
  const auto file = open_file(path, O_RDONLY);
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0) throw file_error("cannot read", path, errno);
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const auto got = ::read(file.number(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw file_error("cannot read", path, errno);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  text.resize(length);
  return text;
}

void replace_file(const std::string& path, std::string_view text) {
  Draft draft(path + ".new");
  draft.write(text);
  draft.publish(path);
}

}  // namespace ddpbench
