#include "harness/probe/collective_log.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

void bucket(CollectiveLog& log, std::int64_t returned_ns, std::int64_t completed_ns) {
  auto& record = log.add(CollectiveKind::kAllreduce, 4);
  record.returned.wall_ns = returned_ns;
  record.completed_ns = completed_ns;
}

std::int64_t comm_wait_ns(std::span<CollectiveRecord> step, std::int64_t backward_end_ns = 0) {
  return over_phases(comm_waits_ns(step, backward_end_ns));
}

std::int64_t wait_of(CollectiveLog& log) { return comm_wait_ns(log.records(0, log.size())); }

TEST(CommWait, NothingIssuedNothingWaited) {
  CollectiveLog log(4);
  EXPECT_EQ(wait_of(log), 0);
}

TEST(CommWait, HiddenBucketsCostNothing) {
  CollectiveLog log(4);
  bucket(log, 100, 150);
  bucket(log, 300, 290);  // completed before the call that issued it came back
  EXPECT_EQ(wait_of(log), 0);
}

// bucket 1   |issue 100 ......... complete 700|
// bucket 2           |issue 300 ...... complete 900|      backward's compute ends at 300: exposed 600
TEST(CommWait, ExposedFromTheLastIssueToTheLastCompletion) {
  CollectiveLog log(4);
  bucket(log, 100, 700);
  bucket(log, 300, 900);
  EXPECT_EQ(wait_of(log), 600);
}

// Reducer has gone on by the end of the backward pass: the backend's thread lost its core before it stamped.
TEST(CommWait, EndsWithTheBackwardPassWhereTheStampIsLate) {
  CollectiveLog log(4);
  bucket(log, 100, 4900);
  EXPECT_EQ(comm_wait_ns(log.records(0, 1), 420), 320);
  EXPECT_EQ(comm_wait_ns(log.records(0, 1), 5000), 4800);
  EXPECT_EQ(comm_wait_ns(log.records(0, 1), 90), 4800);  // issued behind it: nothing is known
}

TEST(CommWait, ExplicitWaitsAddToIt) {
  CollectiveLog log(4);
  auto& buffers = log.add(CollectiveKind::kBroadcast, 8);
  buffers.waited_ns = 50;
  buffers.returned.wall_ns = 900;  // waited for by hand: its issue says nothing about backward
  buffers.completed_ns = 950;
  bucket(log, 300, 400);
  EXPECT_EQ(wait_of(log), 150);
}

// A framework's broadcast behind the update: its wait is no part of the backward pass.
TEST(CommWait, StandsInThePhaseInWhichTheMainThreadWaits) {
  CollectiveLog log(4);
  auto& behind = log.add(CollectiveKind::kBroadcast, 8);
  behind.waited_ns = 70;
  behind.waited_in = Phase::kWrapper;
  behind.completed_ns = 950;
  bucket(log, 300, 400);
  const auto waits = comm_waits_ns(log.records(0, log.size()));
  EXPECT_EQ(waits[index_of(Phase::kWrapper)], 70);
  EXPECT_EQ(waits[index_of(Phase::kBackward)], 100);
  EXPECT_EQ(wait_of(log), 170);
}

TEST(CollectiveLog, AFullLogCountsWhatItDrops) {
  CollectiveLog log(1);
  bucket(log, 1, 1);
  bucket(log, 2, 2);
  EXPECT_EQ(log.size(), 1U);
  EXPECT_EQ(log.dropped(), 1U);
  log.clear();
  EXPECT_EQ(log.size(), 0U);
  EXPECT_EQ(log.dropped(), 0U);
}

}  // namespace
}  // namespace ddpbench
