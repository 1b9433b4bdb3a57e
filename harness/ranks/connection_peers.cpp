#include "harness/ranks/connection_peers.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kRoot = 0;  // its services connect as well
constexpr std::string_view kEstablished = "01";
constexpr std::string_view kLoopback = "0100007F";  // 127.0.0.1, in the machine's order of bytes

// One line of /proc/net/tcp (proc(5)).
struct Connection {
  std::string local, remote, state, socket;
  uid_t user = 0;
};

Connection connection_from(const std::string& line) {
  Connection connection;
  std::string number, queues, timer, retransmits, timeout;
  std::istringstream(line) >> number >> connection.local >> connection.remote >> connection.state >> queues >> timer >>
      retransmits >> connection.user >> timeout >> connection.socket;
  return connection;
}

// By both ends, as the line has them.
std::map<std::pair<std::string, std::string>, Connection> connections_in(std::string_view table) {
  std::map<std::pair<std::string, std::string>, Connection> connections;
  std::istringstream lines{std::string(table)};
  for (std::string line; std::getline(lines, line);) {
    auto connection = connection_from(line);
    const bool counts = connection.state == kEstablished && connection.remote.starts_with(kLoopback);
    if (counts) connections[{connection.local, connection.remote}] = std::move(connection);
  }
  return connections;
}

// "socket:[4711]" -> "4711"
std::set<std::string> own_sockets() {
  constexpr std::string_view kBegin = "socket:[";
  std::set<std::string> sockets;
  std::error_code gone;
  for (const auto& file : fs::directory_iterator("/proc/self/fd")) {
    const auto target = fs::read_symlink(file.path(), gone).string();
    if (target.starts_with(kBegin)) sockets.insert(target.substr(kBegin.size(), target.size() - kBegin.size() - 1));
  }
  return sockets;
}

}  // namespace

std::optional<uid_t> foreign_peer(std::string_view table, const std::set<std::string>& sockets, uid_t own) {
  const auto connections = connections_in(table);
  for (const auto& [ends, connection] : connections) {
    if (!sockets.contains(connection.socket)) continue;
    const auto peer = connections.find({ends.second, ends.first});
    const bool is_foreign = peer != connections.end() && peer->second.user != own && peer->second.user != kRoot;
    if (is_foreign) return peer->second.user;
  }
  return std::nullopt;
}

void require_own_peers() {
  std::ifstream file("/proc/self/net/tcp");
  const std::string table(std::istreambuf_iterator<char>(file), {});
  const auto foreign = foreign_peer(table, own_sockets(), ::geteuid());
  if (foreign) throw Error("user " + std::to_string(*foreign) + " is connected where a rank of this launch should be: refused");
}

}  // namespace ddpbench
