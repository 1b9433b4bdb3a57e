#include "suite/launch/agents/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "suite/base/tcp.hpp"

namespace ddpbench {

void Channel::send(const Words& message) {
  if (!is_open()) return;
  out_ += framed(message);
  send_rest();
}

void Channel::send_rest() {
  while (has_unsent()) {
    const auto sent = ::send(fd(), out_.data(), out_.size(), MSG_NOSIGNAL);
    if (sent < 0 && is_for_later()) return;
    if (sent < 0) return close();
    out_.erase(0, static_cast<std::size_t>(sent));
  }
}

// What is no message comes from nobody of ours.
std::optional<Words> Channel::receive() {
  std::array<char, 1 << 16> buffer;
  try {
    while (true) {
      if (auto message = in_.next()) return message;
      if (!is_open()) return std::nullopt;
      const auto got = ::read(fd(), buffer.data(), buffer.size());
      if (got < 0 && is_for_later()) return std::nullopt;
      if (got <= 0) {
        close();
        return std::nullopt;
      }
      in_.take({buffer.data(), static_cast<std::size_t>(got)});
    }
  } catch (const Error&) {
    close();
    return std::nullopt;
  }
}

}  // namespace ddpbench
