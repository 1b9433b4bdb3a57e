#include "suite/base/tcp.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "suite/base/deadline.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
using Clock = std::chrono::steady_clock;

std::string reason(int error_number) { return std::generic_category().message(error_number); }

Error tcp_error(const std::string& action, const Endpoint& endpoint, const std::string& why) {
  return Error(action + " " + to_text(endpoint) + ": " + why);
}

// Of a name in every family that this machine has.
Addresses addresses_of(const Endpoint& endpoint, int flags) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const auto port = std::to_string(endpoint.port);
  const int failed = ::getaddrinfo(endpoint.host.empty() ? nullptr : endpoint.host.c_str(), port.c_str(), &wanted, &found);
  if (failed != 0) throw tcp_error("cannot find", endpoint, ::gai_strerror(failed));
  return {found, &::freeaddrinfo};
}

FileDescriptor new_socket(const addrinfo& address) {
  return FileDescriptor(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// 0, or the system's number of the reason why nobody can listen there.
int listen_at(const FileDescriptor& socket, const addrinfo& address) {
  if (socket.number() < 0) return errno;
  const int both = 0;  // IPv4 as well, where it is all addresses
  if (address.ai_family == AF_INET6) ::setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof(both));
  const bool listens =
      ::bind(socket.number(), address.ai_addr, address.ai_addrlen) == 0 && ::listen(socket.number(), SOMAXCONN) == 0;
  return listens ? 0 : errno;
}

// All addresses of IPv6 are those of IPv4 as well: they come first.
std::optional<FileDescriptor> listening_at_port(const Endpoint& endpoint, int& why) {
  const auto addresses = addresses_of(endpoint, AI_PASSIVE);
  for (const int family : {AF_INET6, AF_INET}) {
    for (const auto* address = addresses.get(); address != nullptr; address = address->ai_next) {
      if (address->ai_family != family) continue;
      auto socket = new_socket(*address);
      why = listen_at(socket, *address);
      if (why == 0) return socket;
    }
  }
  return std::nullopt;
}

// 0, or the system's number of the reason.
int connect_to(const FileDescriptor& socket, const addrinfo& address, Clock::time_point deadline) {
  if (socket.number() < 0) return errno;
  if (::connect(socket.number(), address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd connecting{socket.number(), POLLOUT, 0};
  if (::poll(&connecting, 1, milliseconds_until(deadline)) != 1) return ETIMEDOUT;
  int failed = 0;
  socklen_t size = sizeof(failed);
  return ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &failed, &size) == 0 ? failed : errno;
}

}  // namespace

std::string why_not_found(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), nullptr, &wanted, &found);
  if (failed != 0) return ::gai_strerror(failed);
  ::freeaddrinfo(found);
  return "";
}

// Connecting a datagram's socket asks the routes and sends nothing.
std::string why_no_loopback() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.number() < 0) return "";  // whoever needs one tells that
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(1);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.number(), reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0) return "";
  return "the loopback interface is down, over which ranks of one machine meet: 127.0.0.1: " + reason(errno) +
         " (`ip link set lo up`)";
}

std::string to_text(const Endpoint& endpoint) {
  const bool is_v6 = endpoint.host.find(':') != std::string::npos;
  return (is_v6 ? "[" + endpoint.host + "]" : endpoint.host) + ":" + std::to_string(endpoint.port);
}

std::optional<Endpoint> endpoint_from(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
  auto host = text.substr(0, colon);
  const bool is_v6 = host.starts_with('[') && host.ends_with(']');
  if (is_v6) host = host.substr(1, host.size() - 2);
  if (!port || host.empty() || is_v6 != (host.find(':') != std::string_view::npos)) return std::nullopt;
  return Endpoint{std::string(host), *port};
}

FileDescriptor listening_tcp(const std::string& host, PortRange ports) {
  int why = 0;
  for (int port = ports.first; port <= ports.last; ++port) {
    auto socket = listening_at_port({host, static_cast<std::uint16_t>(port)}, why);
    if (socket) return *std::move(socket);
    if (why != EADDRINUSE && why != EACCES) break;
  }
  const auto range = ports.last == 0 ? "" : " on ports " + std::to_string(ports.first) + " to " + std::to_string(ports.last);
  throw Error("cannot listen at " + (host.empty() ? "this machine" : host) + range + ": " + reason(why));
}

FileDescriptor connected_tcp(const Endpoint& endpoint, std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  const auto addresses = addresses_of(endpoint, 0);
  int why = 0;
  for (const auto* address = addresses.get(); address != nullptr; address = address->ai_next) {
    auto socket = new_socket(*address);
    why = connect_to(socket, *address, deadline);
    if (why == 0) return socket;
  }
  throw tcp_error("cannot reach", endpoint, reason(why));
}

std::optional<FileDescriptor> accepted_tcp(const FileDescriptor& listener) {
  const int number = ::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return number < 0 ? std::nullopt : std::optional(FileDescriptor(number));
}

// An address of IPv4 on a socket of IPv6 is "::ffff:10.0.0.1": its family's own form is what others can use.
Endpoint local_end(const FileDescriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool is_known =
      ::getsockname(socket.number(), generic, &size) == 0 &&
      ::getnameinfo(generic, size, host.data(), host.size(), port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV) == 0;
  if (!is_known) throw Error("cannot tell this end of a connection: " + reason(errno));
  constexpr std::string_view kMapped = "::ffff:";
  std::string text = host.data();
  if (text.starts_with(kMapped) && text.find('.') != std::string::npos) text.erase(0, kMapped.size());
  return {text, parse_number<std::uint16_t>(port.data()).value_or(0)};
}

bool is_for_later() { return errno == EAGAIN || errno == EINTR; }

void set_no_delay(const FileDescriptor& socket) {
  const int on = 1;
  ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

void set_peer_timeout(const FileDescriptor& socket, std::chrono::milliseconds patience) {
  const auto milliseconds = static_cast<unsigned int>(patience.count());
  ::setsockopt(socket.number(), IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof(milliseconds));
  const int is_on = 1,
            seconds = std::max(1, static_cast<int>(milliseconds / 4000));  // asked so often, also where nobody has a word to say
  ::setsockopt(socket.number(), SOL_SOCKET, SO_KEEPALIVE, &is_on, sizeof(is_on));
  for (const int option : {TCP_KEEPIDLE, TCP_KEEPINTVL})
    ::setsockopt(socket.number(), IPPROTO_TCP, option, &seconds, sizeof(seconds));
}

}  // namespace ddpbench
