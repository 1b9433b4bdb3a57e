#include "suite/formats/record_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::string reason(int error) { return error == ENOENT ? "missing" : std::generic_category().message(error); }

}  // namespace

RecordFile::RecordFile(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw UsageError(path_ + ": " + reason(errno));
  struct stat facts {};
  const int error = ::fstat(descriptor_, &facts) == 0 ? 0 : errno;
  if (error == 0 && S_ISREG(facts.st_mode)) {
    size_ = facts.st_size;
    return;
  }
  ::close(descriptor_);
  throw UsageError(path_ + ": " + (error == 0 ? "is not a regular file" : reason(error)));
}

RecordFile::RecordFile(RecordFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

RecordFile::~RecordFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RecordFile::read(std::int64_t offset, std::span<std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const auto got = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(path_ + ": cannot be read at offset " + std::to_string(offset) + ": " + reason(errno));
    if (got == 0) {
      throw Error(path_ + ": ends at or before offset " + std::to_string(offset) + ", but had " + std::to_string(size_) +
                  " bytes when it was opened: truncated while in use");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

}  // namespace ddpbench
