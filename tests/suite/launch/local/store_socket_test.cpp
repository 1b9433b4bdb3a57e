#include "suite/launch/local/store_socket.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace ddpbench {
namespace {

int connect_to(int port) {
  const UniqueFd client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address));
}

TEST(StoreSocket, ListensOnThePortItNames) {
  const auto store = open_store_socket();
  EXPECT_EQ(connect_to(store.port), 0);
}

TEST(StoreSocket, StaysOutOfOtherProcesses) {
  const auto store = open_store_socket();
  EXPECT_NE(::fcntl(store.fd.get(), F_GETFD) & FD_CLOEXEC, 0);
}

}  // namespace
}  // namespace ddpbench
