#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {

// "disk full: cannot write results/a/runs.csv: No space left on device"; `error_number` as in errno.
Error file_error(const std::string& action, const std::string& path, int error_number);
bool is_disk_full(const Error& error);  // of a file_error

// Owns one open file.
class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();
  int number() const { return number_; }

 private:
  int number_;
};

// All of these throw Error with the path and the system's reason. `flags` as for open(2); O_CLOEXEC is added.
FileDescriptor open_file(const std::string& path, int flags);
void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path);
void sync_file(const FileDescriptor& file, const std::string& path);
std::string read_file(const std::string& path);

// Puts `text` at `path` whole or not at all, through a power cut too: a file beside it, synced, renamed over it, its folder
// synced.
void replace_file(const std::string& path, std::string_view text);

}  // namespace ddpbench
