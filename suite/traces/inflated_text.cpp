#include "suite/traces/inflated_text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <new>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {

InflatedText::InflatedText(const std::string& path) : path_(path), buffer_(std::size_t{1} << 18) {
  const auto file = open_regular_file(path);
  const int own = ::fcntl(file.number(), F_DUPFD_CLOEXEC, 0);  // gzclose closes it
  file_.reset(own < 0 ? nullptr : ::gzdopen(own, "rb"));
  if (file_ == nullptr) {
    if (own >= 0) ::close(own);
    throw std::bad_alloc();
  }
  ::gzbuffer(file_.get(), 1U << 17);
  fill();
}

void InflatedText::fill() {
  const int read = ::gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int code = Z_OK;
  const std::string what = ::gzerror(file_.get(), &code);
  if (code == Z_BUF_ERROR)
    throw UsageError(path_ + ": the gzip file is cut short: its writer did not end, or the copy is not whole");
  if (code == Z_ERRNO) throw Error(path_ + ": cannot be read: " + what);
  if (read < 0) throw UsageError(path_ + ": the gzip file is damaged: " + what);
  at_ = 0;
  filled_ = static_cast<std::size_t>(read);
}

}  // namespace ddpbench
