#include "harness/ranks/store_connection.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>

#include "harness/ranks/store_server.hpp"
#include "suite/base/deadline.hpp"
#include "suite/base/tcp.hpp"

namespace ddpbench {
namespace {

using Clock = std::chrono::steady_clock;

// Between two looks whether rank 0 serves by now.
constexpr std::chrono::milliseconds kRetry{10};

bool is_over(Clock::time_point deadline) { return Clock::now() >= deadline; }

// False at the deadline.
bool wait_for(const FileDescriptor& socket, short event, Clock::time_point deadline) {
  while (true) {
    pollfd polled{socket.number(), event, 0};
    const int ready = ::poll(&polled, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready == 0) return false;
  }
}

}  // namespace

StoreConnection::StoreConnection(StoreAddress address, std::chrono::milliseconds patience) : address_(std::move(address)) {
  connect(Clock::now() + patience);
}

void StoreConnection::connect(Clock::time_point deadline) {
  while (true) {
    auto socket = connected_socket(address_);
    if (socket.number() >= 0) {
      socket_.emplace(std::move(socket));
      return authenticate(deadline);
    }
    if (is_over(deadline)) throw StoreTimeout("rank 0 did not open the rendezvous " + place_of(address_));
    std::this_thread::sleep_for(kRetry);
  }
}

// The secret is told to nobody but a process of the same user.
void StoreConnection::authenticate(Clock::time_point deadline) {
  try {
    if (!is_own_user(*socket_)) throw Error("the ranks' store " + place_of(address_) + " is served by another user");
    send(framed({kStoreGreeting, address_.secret}), deadline);
    receive(deadline);
  } catch (const Error&) {
    socket_.reset();
    throw;
  }
}

Words StoreConnection::ask(const Words& request, std::chrono::milliseconds patience) {
  const std::lock_guard lock(mutex_);
  if (is_gone_) throw Error(std::string(kRendezvousClosed) + ": rank 0 has ended");  // nobody will serve it again
  const auto deadline = Clock::now() + patience;
  if (!socket_) connect(deadline);
  try {
    send(framed(request), deadline);
    return receive(deadline);
  } catch (const StoreTimeout&) {
    socket_.reset();  // a late answer must not be taken for the next one's
    throw;
  } catch (const Error&) {
    socket_.reset();
    is_gone_ = true;
    throw;
  }
}

void StoreConnection::send(const std::string& bytes, Clock::time_point deadline) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const auto more = ::send(socket_->number(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (more < 0 && !is_for_later()) throw Error(std::string(kRendezvousClosed) + ": rank 0 has ended");
    if (more < 0 && !wait_for(*socket_, POLLOUT, deadline)) throw StoreTimeout("the rendezvous takes no request");
    sent += static_cast<std::size_t>(std::max<ssize_t>(more, 0));
  }
}

Words StoreConnection::receive(Clock::time_point deadline) {
  MessageReader reader(kLongestMessageBytes);
  std::array<char, 4096> buffer;
  while (true) {
    if (auto message = reader.next()) return *std::move(message);
    if (!wait_for(*socket_, POLLIN, deadline)) throw StoreTimeout("no answer from the rendezvous");
    const auto got = ::read(socket_->number(), buffer.data(), buffer.size());
    if (got == 0 || (got < 0 && !is_for_later())) throw Error(std::string(kRendezvousClosed) + ", or refuses this process");
    if (got > 0) reader.take({buffer.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace ddpbench
