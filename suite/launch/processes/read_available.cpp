#include "suite/launch/processes/read_available.hpp"

#include <array>
#include <cerrno>

namespace ddpbench {

void read_available(FileDescriptor& fd, std::string& text) {
  std::array<char, 1 << 16> buffer{};
  for (std::size_t taken = 0; fd.is_open() && taken < kMostBytesAtOnce;) {
    const auto got = ::read(fd.number(), buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
      taken += static_cast<std::size_t>(got);
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      fd.close();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

}  // namespace ddpbench
