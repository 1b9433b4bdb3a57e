#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// A place where a process can be reached. `host`: a name or an address, of IPv6 too.
struct Endpoint {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const Endpoint&) const = default;
};

// "node1:2000", "[fd00::1]:2000".
std::string to_text(const Endpoint& endpoint);
std::optional<Endpoint> endpoint_from(std::string_view text);

// "", or why this machine finds no host of that name or address.
std::string why_not_found(const std::string& host);

// "", or why processes of this machine cannot reach each other at 127.0.0.1.
std::string why_no_loopback();

// The first free port from `first` to `last` is taken; 0 and 0: any.
struct PortRange {
  std::uint16_t first = 0, last = 0;
};

// Sockets of TCP, non-blocking. These throw Error with the system's reason.

// One that listens at a host of this machine; "": at all its addresses.
FileDescriptor listening_tcp(const std::string& host, PortRange ports);

// One that is connected with whoever listens there. Throws Error after `patience`.
FileDescriptor connected_tcp(const Endpoint& endpoint, std::chrono::milliseconds patience);

// The next who has connected; nothing where nobody has.
std::optional<FileDescriptor> accepted_tcp(const FileDescriptor& listener);

// This machine's end of a connection, or where a listener listens: an address, not a name.
Endpoint local_end(const FileDescriptor& socket);

// Whether the last call on a socket, which failed, is to be made again when the socket is ready.
bool is_for_later();

// Sets TCP_NODELAY: small messages are sent at once.
void set_no_delay(const FileDescriptor& socket);

// Sets TCP_USER_TIMEOUT and keepalive: the connection breaks when the other machine has not answered for so long.
void set_peer_timeout(const FileDescriptor& socket, std::chrono::milliseconds patience);

}  // namespace ddpbench
