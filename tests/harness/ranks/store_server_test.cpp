// The ranks' store as its ranks see it, and as those see it that are none.
#include "harness/ranks/store_server.hpp"

#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

#include "harness/ranks/store_connection.hpp"

namespace ddpbench {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr auto kLong = 60s;  // ends a test that hangs
constexpr uid_t kOtherUser = 65534;

struct StoreServerTest : ::testing::Test {
  StoreAddress address = new_store_address();
  StoreServer server{address};
  StoreConnection rank{address, kLong};

  Words ask(const Words& request) { return rank.ask(request, kLong); }

  // What comes back for bytes that somebody sends; the end of the stream is "".
  static std::string answer_to(const FileDescriptor& socket, const std::string& bytes) {
    ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    pollfd polled{socket.number(), POLLIN, 0};
    ::poll(&polled, 1, 60'000);
    std::string answer(1000, '\0');
    const auto got = ::read(socket.number(), answer.data(), answer.size());
    answer.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return answer;
  }
};

TEST_F(StoreServerTest, GivesOneRankWhatAnotherHasSet) {
  StoreConnection other(address, kLong);
  other.ask({"set", "a", "x"}, kLong);
  EXPECT_EQ(ask({"get", "a"}), Words{"x"});
}

TEST_F(StoreServerTest, LetsARankWaitForAnother) {
  StoreConnection other(address, kLong);
  auto waiting = std::async(std::launch::async, [&] { return other.ask({"get", "later"}, kLong); });
  ask({"set", "later", "x"});
  EXPECT_EQ(waiting.get(), Words{"x"});
}

// A rank may end its process, and the store with it, as soon as it knows that its last peer is done: the peer has its answer by then.
TEST_F(StoreServerTest, WhoSetsAValueHasHisAnswerBeforeWhoWaitsForIt) {
  const auto has_answer = [](const FileDescriptor& socket, int milliseconds) {
    pollfd polled{socket.number(), POLLIN, 0};
    return ::poll(&polled, 1, milliseconds) == 1;
  };
  for (int round = 0; round < 300; ++round) {
    const auto waits = connected_socket(address), sets = connected_socket(address);
    for (const auto* socket : {&waits, &sets}) answer_to(*socket, framed({kStoreGreeting, address.secret}));
    const auto key = "done/" + std::to_string(round);
    const auto get = framed({"get", key}), set = framed({"set", key, ""});
    ASSERT_GT(::send(waits.number(), get.data(), get.size(), MSG_NOSIGNAL), 0);
    ASSERT_FALSE(has_answer(waits, 1));
    ASSERT_GT(::send(sets.number(), set.data(), set.size(), MSG_NOSIGNAL), 0);
    const auto begin = std::chrono::steady_clock::now();
    while (!has_answer(waits, 0)) ASSERT_LT(std::chrono::steady_clock::now() - begin, kLong);
    ASSERT_TRUE(has_answer(sets, 0)) << "round " << round;
  }
}

TEST_F(StoreServerTest, TakesAValueThatNoSocketHoldsAtOnce) {
  const std::string large(1 << 22, 'x');
  ask({"set", "large", large});
  EXPECT_EQ(ask({"get", "large"}), Words{large});
}

TEST_F(StoreServerTest, ARankThatGaveUpWaitingMayAskAgain) {
  EXPECT_THROW(rank.ask({"get", "never"}, 50ms), StoreTimeout);
  ask({"set", "never", "late"});
  EXPECT_EQ(ask({"get", "never"}), Words{"late"});
}

TEST(StoreConnectionTest, DoesNotWaitForAStoreThatHasGone) {
  const auto address = store_address_by_hand(7);
  auto server = std::make_optional<StoreServer>(address);
  StoreConnection rank(address, kLong);
  server.reset();
  for (int i = 0; i < 2; ++i) {
    try {
      rank.ask({"count"}, std::chrono::hours(1));
      FAIL() << "answered";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("closed")) << i;
    }
  }
}

TEST_F(StoreServerTest, RefusesWhoDoesNotKnowTheSecret) {
  for (const auto* guess : {"", "0123456789abcdef0123456789abcdef"}) {
    try {
      StoreConnection stranger({address.name, guess}, kLong);
      FAIL() << "taken in";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("refuses this process"));
    }
  }
}

TEST_F(StoreServerTest, WhoIsNotKnownChangesNothing) {
  ask({"set", "agree/1/0", "mine"});
  const auto attack = framed({"set", "agree/1/0", "forged"}) + framed({"delete", "agree/1/0"});
  for (const auto& bytes :
       {attack, framed({kStoreGreeting, "guessed"}) + attack, std::string(100, '\xff'), std::string("GET / HTTP/1.1\r\n\r\n")}) {
    const auto socket = connected_socket(address);
    EXPECT_EQ(answer_to(socket, bytes), "");
  }
  EXPECT_EQ(ask({"get", "agree/1/0"}), Words{"mine"});
  EXPECT_EQ(ask({"count"}), Words{"1"});
}

TEST_F(StoreServerTest, ARankThatTalksNonsenseIsDroppedAlone) {
  const auto socket = connected_socket(address);
  EXPECT_EQ(answer_to(socket, framed({kStoreGreeting, address.secret})), framed({kStoreGreeting}));
  EXPECT_EQ(answer_to(socket, framed({"list"})), "");
  EXPECT_EQ(ask({"count"}), Words{"0"});
}

// Who knows name and secret, as a core file might tell them, and is another user all the same.
TEST_F(StoreServerTest, RefusesAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    if (::setuid(kOtherUser) != 0) ::_exit(2);
    const auto socket = connected_socket(address);
    const bool is_heard = !answer_to(socket, framed({kStoreGreeting, address.secret})).empty();
    ::_exit(is_heard ? 1 : 0);
  }
  int status = -1;
  ::waitpid(stranger, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ask({"count"}), Words{"0"});
}

// Somebody who took the name first would get the secret, and could tell the ranks what he likes.
TEST(StoreConnection, TellsItsSecretToNoOtherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be another user";
  const auto address = new_store_address();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t impostor = ::fork();
  if (impostor == 0) {
    if (::setuid(kOtherUser) != 0) ::_exit(2);
    const StoreServer server(address);
    if (::write(ready[1], "x", 1) != 1) ::_exit(2);
    while (true) ::pause();
  }
  char letter = 0;
  ASSERT_EQ(::read(ready[0], &letter, 1), 1);
  try {
    const StoreConnection rank(address, kLong);
    ADD_FAILURE() << "connected";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("is served by another user"));
  }
  ::kill(impostor, SIGKILL);
  ::waitpid(impostor, nullptr, 0);
}

TEST(StoreConnection, WaitsForItsStoreAndNotForEver) {
  const auto address = new_store_address();
  EXPECT_THROW(StoreConnection(address, 50ms), StoreTimeout);
  auto late = std::async(std::launch::async, [&] { return StoreConnection(address, kLong).ask({"count"}, kLong); });
  std::this_thread::sleep_for(50ms);
  const StoreServer server(address);
  EXPECT_EQ(late.get(), Words{"0"});
}

// A store whose process is stopped takes connections, by the system's hand, and says nothing.
TEST(StoreConnection, DoesNotWaitForEverForAStoreThatSaysNothing) {
  const auto address = new_store_address();
  const auto silent = listening_socket(address);
  EXPECT_THROW(StoreConnection(address, 50ms), StoreTimeout);
}

TEST(StoreConnection, SaysThatTheStoreHasGone) {
  const auto address = new_store_address();
  auto server = std::make_unique<StoreServer>(address);
  StoreConnection rank(address, kLong);
  server.reset();
  EXPECT_THROW(rank.ask({"count"}, kLong), Error);
}

TEST(StoreServer, SaysThatItsNameIsTaken) {
  const auto address = store_address_by_hand(1);
  const StoreServer server(address);
  try {
    const StoreServer other(address);
    FAIL() << "two of one name";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(address.name));
    EXPECT_THAT(error.what(), HasSubstr("in use"));
  }
}

}  // namespace
}  // namespace ddpbench
