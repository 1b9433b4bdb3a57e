#include "suite/contract/processes/store_address.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(StoreAddress, IsAnotherForEveryLaunch) {
  const auto one = new_store_address(), other = new_store_address();
  EXPECT_NE(one.name, other.name);
  EXPECT_NE(one.secret, other.secret);
  EXPECT_EQ(one.secret.size(), 32U) << "128 bits";
}

TEST(StoreAddress, OfSeveralMachinesIsAPort) {
  for (const auto* host : {"node1", "10.0.0.1", "fd00::1"}) {
    const StoreAddress address{"", "0123abcd", Endpoint{host, 4711}};
    const auto read = store_address_from(to_text(address));
    ASSERT_TRUE(read) << to_text(address);
    EXPECT_EQ(read->endpoint, address.endpoint);
    EXPECT_EQ(read->secret, "0123abcd");
    EXPECT_EQ(place_of(*read).find("0123abcd"), std::string::npos) << "messages show it";
  }
  for (const auto* text :
       {"tcp:node1:secret", "tcp:node1:99999:secret", "tcp:4711:secret", "tcp:fd00::1:1:secret", "tcp:node1:4711:"}) {
    EXPECT_FALSE(store_address_from(text)) << text;
  }
}

TEST(StoreAddress, ReadsWhatItWrote) {
  const auto address = new_store_address();
  const auto read = store_address_from(to_text(address));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, address.name);
  EXPECT_EQ(read->secret, address.secret);
}

TEST(StoreAddress, RefusesWhatIsNone) {
  for (const auto* text : {"", "7", "name:", ":secret", "name"}) EXPECT_FALSE(store_address_from(text)) << text;
  EXPECT_FALSE(store_address_from(std::string(200, 'n') + ":secret")) << "longer than a socket's name may be";
}

TEST(StoreAddress, ByHandIsTheSameForAllThatNameOnePort) {
  EXPECT_EQ(store_address_by_hand(29500).name, store_address_by_hand(29500).name);
  EXPECT_NE(store_address_by_hand(29500).name, store_address_by_hand(29501).name);
}

}  // namespace
}  // namespace ddpbench
