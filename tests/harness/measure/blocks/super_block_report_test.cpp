#include "harness/measure/blocks/super_block_report.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SuperBlockReport, PassesThroughItsPayload) {
  PathBlock block;
  block.begin_ns = 1234567890123;
  block.steps = {{{1000, 20}, {PathCollective{}}}, {{2000, 30}, {}}};
  const SuperBlockReport report{true, {{0.25, 1e-9}, {}, {0.5}}, {block, PathBlock{}}};
  const auto read = report_from_payload(to_payload(report));
  EXPECT_TRUE(read.disturbed);
  EXPECT_EQ(read.steps_s, report.steps_s);
  ASSERT_EQ(read.blocks.size(), 2U);
  EXPECT_EQ(to_payload(read.blocks[0]), to_payload(block));
  EXPECT_THAT(read.blocks[1].steps, IsEmpty());
  EXPECT_THROW(report_from_payload("0;1.5 zebra"), Error);
  EXPECT_THROW(report_from_payload("0\nzebra"), Error);
}

// A step is over when the slowest rank's is.
TEST(SuperBlockReport, TheRanksTogetherTakeTheSlowestOnesSteps) {
  const SuperBlockReport first{false, {{1, 5, 3}, {1}, {}}}, second{false, {{2, 4, 3}, {}, {}}};
  EXPECT_THAT(slowest_steps_s({first, second}), ElementsAre(ElementsAre(2, 5, 3), IsEmpty(), IsEmpty()));
}

TEST(SuperBlockAnswer, PassesThroughItsPayload) {
  const SuperBlockAnswer answer{{{1500.5, 2e9}, {}, {7}}, {0, 2, 1}};
  const auto read = answer_from_payload(to_payload(answer), 3);
  EXPECT_EQ(read.awaited_ns, answer.awaited_ns);
  EXPECT_EQ(read.next_order, answer.next_order);
  EXPECT_THAT(answer_from_payload(to_payload(SuperBlockAnswer{{}, {0}}), 1).awaited_ns, IsEmpty());
}

TEST(SuperBlockAnswer, MayBeTheLast) {
  const auto read = answer_from_payload(to_payload(SuperBlockAnswer{{{7}}, {}}), 3);
  EXPECT_THAT(read.next_order, IsEmpty());
  EXPECT_THAT(read.awaited_ns, ElementsAre(ElementsAre(7)));
}

TEST(SuperBlockAnswer, RefusesAnOrderThatIsNone) {
  for (const auto* told : {"0 3 ", "-1 ", "0 x ", "0.5 ", ""}) EXPECT_THROW(answer_from_payload(told, 3), Error) << told;
  EXPECT_THROW(answer_from_payload("stop\n1 zebra", 3), Error);
}

}  // namespace
}  // namespace ddpbench
