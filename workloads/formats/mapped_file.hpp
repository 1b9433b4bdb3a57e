#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace ddpbench {

// A file's bytes, mapped read-only: opening costs no reading. Throws UsageError with the system's reason where it cannot be opened.
class MappedFile {
 public:
  explicit MappedFile(std::string path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::string path_;
  std::span<const std::uint8_t> bytes_;
};

}  // namespace ddpbench
