#include "harness/ranks/store_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <string>
#include <system_error>

#include "suite/base/tcp.hpp"

namespace ddpbench {
namespace {

struct SocketAddress {
  sockaddr_un address{};
  socklen_t size = 0;
  const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&address); }
};

// A first byte of 0 makes the name an abstract one (unix(7)): it goes with the socket, on every file system.
SocketAddress socket_address(const StoreAddress& store) {
  SocketAddress made;
  if (store.name.size() + 1 > sizeof(made.address.sun_path)) throw Error("the name of the rendezvous is too long");
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path + 1, store.name.data(), store.name.size());
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + store.name.size());
  return made;
}

// Rank 0 listens there before anybody is told of it: one that cannot be reached at once is busy, or on its way out.
FileDescriptor connected_by_tcp(const Endpoint& endpoint) {
  constexpr std::chrono::seconds kOneTry{5};
  try {
    auto socket = connected_tcp(endpoint, kOneTry);
    set_no_delay(socket);
    return socket;
  } catch (const Error&) {
    return {};
  }
}

Error socket_error(const std::string& action, const StoreAddress& address) {
  return Error(action + " the ranks' store " + place_of(address) + ": " + std::generic_category().message(errno));
}

FileDescriptor new_socket(const StoreAddress& address) {
  const int number = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (number < 0) throw socket_error("cannot open a socket for", address);
  return FileDescriptor(number);
}

}  // namespace

FileDescriptor listening_socket(const StoreAddress& address) {
  if (address.endpoint) return listening_tcp(address.endpoint->host, {address.endpoint->port, address.endpoint->port});
  auto socket = new_socket(address);
  const auto made = socket_address(address);
  const bool listens = ::bind(socket.number(), made.generic(), made.size) == 0 && ::listen(socket.number(), SOMAXCONN) == 0;
  if (!listens) throw socket_error("cannot open", address);
  return socket;
}

FileDescriptor connected_socket(const StoreAddress& address) {
  if (address.endpoint) return connected_by_tcp(*address.endpoint);
  auto socket = new_socket(address);
  const auto made = socket_address(address);
  if (::connect(socket.number(), made.generic(), made.size) == 0) return socket;
  const bool later = errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;  // nobody yet, or too many at once
  if (!later) throw socket_error("cannot reach", address);
  return {};
}

bool is_own_user(const FileDescriptor& socket) {
  sockaddr_storage own{};
  socklen_t own_size = sizeof(own);
  const bool is_local =
      ::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&own), &own_size) == 0 && own.ss_family == AF_UNIX;
  if (!is_local) return true;
  ucred peer{};
  socklen_t size = sizeof(peer);
  return ::getsockopt(socket.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace ddpbench
