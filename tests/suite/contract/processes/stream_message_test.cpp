#include "suite/contract/processes/stream_message.hpp"

#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(StreamMessage, ComesThroughInPieces) {
  const Words words{"set", std::string("a\0b", 3), ""};
  const auto bytes = framed(words) + framed({});
  MessageReader reader(1000);
  for (std::size_t i = 0; i + 5 < bytes.size(); ++i) {
    reader.take(bytes.substr(i, 1));
    EXPECT_FALSE(reader.next());
  }
  reader.take(bytes.substr(bytes.size() - 5));
  EXPECT_EQ(reader.next(), words);
  EXPECT_EQ(reader.next(), Words{});
  EXPECT_FALSE(reader.next());
}

TEST(StreamMessage, RefusesLengthsThatAreTooLargeOrWrong) {
  MessageReader small(8);
  small.take(framed({"more than eight"}));
  EXPECT_THROW(small.next(), Error);
  MessageReader wrong(100);
  wrong.take(std::string("\4\0\0\0\xff\0\0\0", 8));
  EXPECT_THROW(wrong.next(), Error);
}

}  // namespace
}  // namespace ddpbench
