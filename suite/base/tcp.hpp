#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// Says where a process can be reached. `host` is a name or an address, of IPv6 too.
struct Endpoint {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const Endpoint&) const = default;
};

// Writes "node1:2000", "[fd00::1]:2000".
std::string to_text(const Endpoint& endpoint);

// Parses the same; nothing where the text is not of that form.
std::optional<Endpoint> endpoint_from(std::string_view text);

// Says why this machine finds no host of that name or address; "" where it does.
std::string why_not_found(const std::string& host);

// Says why processes of this machine cannot reach each other at 127.0.0.1; "" where they can.
std::string why_no_loopback();

// Holds ports from `first` to `last`, of which the first free one is taken; 0 and 0 mean any.
struct PortRange {
  std::uint16_t first = 0, last = 0;
};

// Sockets of TCP, non-blocking. These throw Error with the system's reason.

// Listens at a host of this machine, "" being all its addresses.
FileDescriptor listening_tcp(const std::string& host, PortRange ports);

// Connects with whoever listens there. Throws Error also after `patience`.
FileDescriptor connected_tcp(const Endpoint& endpoint, std::chrono::milliseconds patience);

// Returns the next that has connected; nothing where nobody has.
std::optional<FileDescriptor> accepted_tcp(const FileDescriptor& listener);

// Returns this machine's end of a connection, or where a listener listens: an address, not a name.
Endpoint local_end(const FileDescriptor& socket);

// Returns whether the last call on a socket, which failed, is to be made again when the socket is ready.
bool is_for_later();

// Sets TCP_NODELAY: small messages are sent at once.
void set_no_delay(const FileDescriptor& socket);

// Sets TCP_USER_TIMEOUT and keepalive: the connection breaks when the other machine has not answered for so long.
void set_peer_timeout(const FileDescriptor& socket, std::chrono::milliseconds patience);

}  // namespace ddpbench
