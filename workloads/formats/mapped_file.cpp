#include "workloads/formats/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "suite/vocab/errors.hpp"

namespace ddpbench {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void refuse(const std::string& path, int error) {
  throw UsageError(path + ": " + (error == ENOENT ? "missing" : std::generic_category().message(error)));
}

}  // namespace

MappedFile::MappedFile(std::string path) : path_(std::move(path)) {
  const Descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) refuse(path_, errno);
  struct stat facts {};
  if (::fstat(file.number, &facts) != 0) refuse(path_, errno);
  if (!S_ISREG(facts.st_mode)) throw UsageError(path_ + ": is not a regular file");
  if (facts.st_size == 0) return;  // mmap refuses an empty range
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
  if (start == MAP_FAILED) refuse(path_, errno);
  bytes_ = {static_cast<const std::uint8_t*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace ddpbench
