#include "suite/launch/agents/channel.hpp"

#include <poll.h>
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
    const auto sent = ::send(fd(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (sent < 0 && is_for_later()) return;
    if (sent < 0) return close();
    sent_ += static_cast<std::size_t>(sent);
  }
  out_.clear();
  sent_ = 0;
}

void Channel::send_all() {
  for (send_rest(); has_unsent(); send_rest()) {
    pollfd polled{fd(), POLLOUT, 0};
    ::poll(&polled, 1, -1);
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
