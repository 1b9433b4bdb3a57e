#include "suite/base/tcp.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ddpbench {
namespace {

using namespace std::chrono_literals;

TEST(Endpoint, ReadsWhatItWrote) {
  for (const auto& endpoint : {Endpoint{"node1", 1}, Endpoint{"10.0.0.1", 65535}, Endpoint{"fd00::1", 4711}}) {
    EXPECT_EQ(endpoint_from(to_text(endpoint)), endpoint) << to_text(endpoint);
  }
  EXPECT_EQ(to_text(Endpoint{"fd00::1", 4711}), "[fd00::1]:4711");
  for (const auto* text : {"", "node1", ":1", "node1:", "node1:65536", "node1:-1", "fd00::1:4711", "[node1]:4711"}) {
    EXPECT_FALSE(endpoint_from(text)) << text;
  }
}

struct Tcp : ::testing::Test {
  FileDescriptor listener = listening_tcp("127.0.0.1", {});
  Endpoint place = local_end(listener);
};

TEST_F(Tcp, ConnectsWhoListensWithWhoAsks) {
  EXPECT_EQ(place.host, "127.0.0.1");
  const auto asks = connected_tcp(place, 5s);
  auto answers = accepted_tcp(listener);
  while (!answers) answers = accepted_tcp(listener);
  EXPECT_EQ(local_end(*answers), place);
  EXPECT_FALSE(accepted_tcp(listener));
  EXPECT_EQ(::write(asks.number(), "x", 1), 1);
}

TEST_F(Tcp, TakesTheFirstFreePortOfARange) {
  const PortRange taken{place.port, place.port};
  EXPECT_THAT([&] { listening_tcp("127.0.0.1", taken); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("on ports " + std::to_string(place.port))));
  const auto last = static_cast<std::uint16_t>(std::min(65535, place.port + 100));
  EXPECT_GT(local_end(listening_tcp("127.0.0.1", {place.port, last})).port, place.port);
}

TEST_F(Tcp, ListensAtAllAddressesOfBothFamilies) {
  const auto everywhere = listening_tcp("", {});
  EXPECT_NO_THROW(connected_tcp({"127.0.0.1", local_end(everywhere).port}, 5s));
}

TEST_F(Tcp, SaysWhoCannotBeReached) {
  listener.close();
  const auto here = to_text(place);
  EXPECT_THAT([&] { connected_tcp(place, 5s); }, ::testing::ThrowsMessage<Error>(::testing::HasSubstr("cannot reach " + here)));
  EXPECT_THAT(
      [] {
        connected_tcp({"no-such-host.invalid", 1}, 5s);
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr("cannot find no-such-host.invalid:1")));
}

// As a connection by IPv4 to a socket of both families shows it.
TEST_F(Tcp, AnAddressIsInItsFamilysOwnForm) {
  const auto everywhere = listening_tcp("", {});
  const auto asks = connected_tcp({"127.0.0.1", local_end(everywhere).port}, 5s);
  auto answers = accepted_tcp(everywhere);
  while (!answers) answers = accepted_tcp(everywhere);
  EXPECT_EQ(local_end(*answers).host, "127.0.0.1");
}

}  // namespace
}  // namespace ddpbench
