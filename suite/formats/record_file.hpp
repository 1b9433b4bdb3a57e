#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace ddpbench {

// Reads a file in pieces while a training runs. Not mapped: a file that is cut short under a mapping ends the process by a
// signal, here it is an Error that names the file. Reading is thread-safe.
class RecordFile {
 public:
  // Throws UsageError with the system's reason where the path cannot be opened or is not a regular file.
  explicit RecordFile(std::string path);
  ~RecordFile();
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&&) = delete;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }  // bytes, when it was opened

  // Fills `bytes` from `offset` on. Throws Error where the file has become shorter than that or cannot be read.
  void read(std::int64_t offset, std::span<std::uint8_t> bytes) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace ddpbench
