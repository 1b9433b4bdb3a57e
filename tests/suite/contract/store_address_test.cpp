#include "suite/contract/store_address.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(StoreAddress, IsAnotherForEveryLaunch) {
  const auto one = new_store_address(), other = new_store_address();
  EXPECT_NE(one.name, other.name);
  EXPECT_NE(one.secret, other.secret);
  EXPECT_EQ(one.secret.size(), 32U) << "128 bits";
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
