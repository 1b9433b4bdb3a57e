#include "harness/ranks/connection_peers.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite/base/durable_file.hpp"

namespace ddpbench {
namespace {

// Rank 7001 listens; 40000 and 40001 are connected with it; the third is a connection to another machine.
constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1B59 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0\n"
    "   1: 0100007F:9C40 0100007F:1B59 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 20 4 0 10 -1\n"
    "   2: 0100007F:1B59 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 20 4 0 10 -1\n"
    "   3: 0100007F:9C41 0100007F:1B59 01 00000000:00000000 00:00000000 00000000  4242        0 14 1 0 20 4 0 10 -1\n"
    "   4: 0100007F:1B59 0100007F:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 15 1 0 20 4 0 10 -1\n"
    "   5: 0A00000A:1B59 0B00000A:9C41 01 00000000:00000000 00:00000000 00000000  1000        0 16 1 0 20 4 0 10 -1\n";

TEST(ConnectionPeers, FindsAnotherUserAtTheOtherEnd) {
  EXPECT_EQ(foreign_peer(kTable, {"11", "13", "16"}, 1000), std::nullopt);
  EXPECT_EQ(foreign_peer(kTable, {"15"}, 1000), 4242U);
  EXPECT_EQ(foreign_peer(kTable, {"14"}, 4242), 1000U);
  EXPECT_EQ(foreign_peer("nonsense\n", {"15"}, 1000), std::nullopt);
}

// A connection of this process with another that `user` made.
void connect_as(uid_t user) {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listener.number(), generic, size), 0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  ASSERT_EQ(::getsockname(listener.number(), generic, &size), 0);
  const pid_t peer = ::fork();
  if (peer == 0) {
    const bool is_user = ::setuid(user) == 0;
    const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!is_user || ::connect(socket.number(), generic, size) != 0) ::_exit(1);
    while (true) ::pause();
  }
  const FileDescriptor accepted(::accept(listener.number(), nullptr, nullptr));
  if (user == ::geteuid()) {
    EXPECT_NO_THROW(require_own_peers());
  } else {
    EXPECT_THROW(require_own_peers(), Error);
  }
  ::kill(peer, SIGKILL);
  ::waitpid(peer, nullptr, 0);
}

TEST(ConnectionPeers, TakesAPeerOfItsOwnUser) { connect_as(::geteuid()); }

TEST(ConnectionPeers, RefusesAPeerOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  connect_as(65534);
}

}  // namespace
}  // namespace ddpbench
