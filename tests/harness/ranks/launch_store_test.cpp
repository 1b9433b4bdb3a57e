// The ranks' store as c10d sees it, and the control channel over it.
#include "harness/ranks/launch_store.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <future>

#include "harness/ranks/rendezvous_store.hpp"
#include "harness/ranks/store_control_channel.hpp"
#include "tests/support/spawn_ranks.hpp"

namespace ddpbench {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using Keys = std::vector<std::string>;

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

struct LaunchStoreTest : ::testing::Test {
  StoreAddress address = new_store_address();
  std::shared_ptr<StoreServer> server = std::make_shared<StoreServer>(address);
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<LaunchStore>(address, server, 60s, 60s);
};

TEST_F(LaunchStoreTest, IsAStoreAsC10dKnowsIt) {
  store->set("a", "1");
  EXPECT_EQ(store->get_to_str("a"), "1");
  EXPECT_EQ(store->add("count", 2) + store->add("count", 3), 7);
  EXPECT_EQ(store->compareSet("a", "1", "2"), "2");
  EXPECT_TRUE(store->check({"a", "count"}));
  EXPECT_FALSE(store->check({"a", "b"}));
  EXPECT_EQ(store->getNumKeys(), 2);
  EXPECT_TRUE(store->deleteKey("a"));
  store->wait(Keys{"count"});
  EXPECT_FALSE(store->hasExtendedApi());
}

TEST_F(LaunchStoreTest, GivesUpWaitingInTime) {
  EXPECT_THROW(store->wait(Keys{"never"}, 50ms), c10::DistStoreError);
  store->setTimeout(50ms);
  EXPECT_THROW(store->get("never"), c10::DistStoreError);
  EXPECT_THROW(store->wait(Keys{"never"}, c10d::Store::kNoTimeout), c10::DistStoreError) << "nobody waits for ever";
  EXPECT_THAT(error_of([&] { store->get("never"); }), HasSubstr("no answer from the rendezvous within 50 ms (get never)"));
}

// c10d's threads that look after a group ask by a clone: they must not wait for the thread that trains.
TEST_F(LaunchStoreTest, AClonesQuestionDoesNotWaitForAnothers) {
  const auto clone = static_cast<LaunchStore&>(*store).clone();
  auto waiting = std::async(std::launch::async, [&] { return store->get_to_str("later"); });
  clone->set("later", "x");
  EXPECT_EQ(waiting.get(), "x");
}

TEST_F(LaunchStoreTest, ControlChannelTakesWhatItsPeerSays) {
  StoreControlChannel one(store, 0, 2), other(static_cast<LaunchStore&>(*store).clone(), 1, 2);
  auto said = std::async(std::launch::async, [&] { return other.all_gather("there"); });
  EXPECT_EQ(one.all_gather("here"), (std::vector<std::string>{"here", "there"}));
  EXPECT_EQ(said.get(), (std::vector<std::string>{"here", "there"}));
  other.abandon("out of luck");
  EXPECT_THAT(error_of([&] { one.all_gather("here"); }), ::testing::StartsWith("another rank stopped: out of luck"));
}

TEST_F(LaunchStoreTest, WhoFailsLearnsWhetherAPeerFailedBefore) {
  StoreControlChannel one(store, 0, 2), other(static_cast<LaunchStore&>(*store).clone(), 1, 2);
  EXPECT_EQ(one.why_peer_left(), "") << "at once, and of nobody";
  auto said = std::async(std::launch::async, [&] { return other.all_gather("there"); });
  one.all_gather("here");
  said.get();
  EXPECT_EQ(one.why_peer_left(), "") << "what a peer says is no reason";
  other.abandon("rank 1: out of luck");
  EXPECT_EQ(one.why_peer_left(), "rank 1: out of luck");
  EXPECT_EQ(other.why_peer_left(), "");
}

// A value that does not repeat its own key was not put there by this channel: nobody acts on it.
TEST_F(LaunchStoreTest, ControlChannelRefusesWhatIsNotOfItsForm) {
  for (const std::string forged : {"1 0 2 ", "\x01stop", "agree/9/1 says 1 0", "agree/1/0 says 1 0", ""}) {
    store->set("agree/1/1", forged);
    StoreControlChannel control_channel(store, 0, 2);
    EXPECT_THAT(error_of([&] { control_channel.all_gather("mine"); }), HasSubstr("rank 1 is not of this launch")) << forged;
  }
}

// Somebody else's server: it takes a connection, and never says a word.
struct SilentServer {
  int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  std::uint16_t port = 0;
  SilentServer() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd, generic, size) == 0 && ::listen(fd, 8) == 0 && ::getsockname(fd, generic, &size) == 0)
      port = ntohs(address.sin_port);
  }
};

TEST(OpenStore, DoesNotWaitForEverForATcpStoreThatSaysNothing) {
  const SilentServer silent;
  RankInfo info;
  info.rank = 1;
  info.world_size = 2;
  info.main_port = silent.port;
  EXPECT_THAT(error_of([&] { open_store(info, 100ms, 200ms); }), HasSubstr("no store answers at 127.0.0.1:"));
}

TEST(OpenStore, NamesAHostOfRankZeroThatNobodyKnows) {
  RankInfo info;
  info.rank = 1;
  info.world_size = 2;
  info.main_address = "no such host";
  info.main_port = 29'500;
  EXPECT_THAT(error_of([&] { open_store(info, 1s); }),
              AllOf(HasSubstr("the host of rank 0, 'no such host', cannot be found from"), HasSubstr("MASTER_ADDR")));
}

TEST(OpenStore, RanksOfSeveralMachinesMeetByTcp) {
  const SilentServer taken;  // its port is free when it has gone
  ::close(taken.fd);
  EXPECT_EQ(spawn_ranks(3,
                        [&](const RankInfo& given) {
                          auto info = given;
                          info.store.reset();
                          info.main_port = taken.port;
                          const auto store = open_store(info, 20s);
                          const auto all =
                              StoreControlChannel(store, info.rank, info.world_size).all_gather(std::to_string(info.rank));
                          require(all == Keys{"0", "1", "2"}, "they heard something else");
                          StoreControlChannel(store, info.rank, info.world_size).leave();
                        }),
            "");
}

TEST(OpenStore, ARankThatIsAloneMeetsNobody) {
  RankInfo info;
  info.store = store_address_by_hand(2);
  const StoreServer taken(*info.store);
  EXPECT_EQ(open_store(info, 1s)->getNumKeys(), 1);
}

}  // namespace
}  // namespace ddpbench
