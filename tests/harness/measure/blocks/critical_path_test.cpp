#include "harness/measure/blocks/critical_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "suite/base/errors.hpp"
#include "suite/base/random.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What one rank does in a step: it computes, begins a collective, computes on, and waits for it by hand. DDP's buckets are waited for together
// where the last one is issued.
struct Part {
  double before = 0;  // own time up to the issue
  double beside = 0;  // own time from there to the wait; of buckets 0
  double delay_before = 0, delay_beside = 0,
         delay_behind = 0;  // by neighbours: of the main thread before the issue, before the wait and when it wakes
  double others_delay = 0;  // of the backend's threads in the transfer
  double late = 0;          // theirs behind it, before they stamp it
};
struct Step {
  std::vector<std::vector<Part>> ranks;  // [rank][collective]
  std::vector<double> transfers;         // by collective
  std::vector<double> tails;             // own time of each rank behind the last collective
  bool buckets = false;
};

// A run of such steps, as ranks with clocks see it; and how long each step takes where nobody is disturbed.
class Program {
 public:
  explicit Program(std::vector<Step> steps) : steps_(std::move(steps)) {}

  std::vector<PathBlock> blocks(bool disturbed = true) {
    scale_ = disturbed ? 1 : 0;
    ranks_.assign(steps_.front().ranks.size(), {});
    ends_.clear();
    for (const auto& step : steps_) {
      for (auto& rank : ranks_) rank.block.steps.emplace_back();
      if (step.buckets) {
        take_buckets(step);
      } else {
        for (std::size_t which = 0; which < step.transfers.size(); ++which) exchange(step, which);
      }
      double end = 0;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        ranks_[rank].now += step.tails[rank];
        ranks_[rank].block.steps.back().end = ranks_[rank].instant();
        end = std::max(end, ranks_[rank].now);
      }
      ends_.push_back(end);
    }
    std::vector<PathBlock> found;
    for (auto& rank : ranks_) found.push_back(rank.block);
    return found;
  }

  std::vector<double> undisturbed() {
    blocks(false);
    auto steps = ends_;
    std::adjacent_difference(steps.begin(), steps.end(), steps.begin());
    return steps;
  }

 private:
  struct Rank {
    double now = 0, delay = 0, others = 0, stamped = 0;
    PathBlock block;

    Instant instant() const { return {std::llround(now), std::llround(delay)}; }
    void takes(double own, double delayed) {
      now += own + delayed;
      delay += delayed;
    }
    PathCollective& last() { return block.steps.back().collectives.back(); }
  };

  // All ranks issue it; when it completes.
  double issue(const Step& step, std::size_t which) {
    double issued = 0, longest = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const auto& part = step.ranks[i][which];
      auto& rank = ranks_[i];
      rank.takes(part.before, scale_ * part.delay_before);
      rank.block.steps.back().collectives.emplace_back().returned = rank.instant();
      issued = std::max(issued, rank.now);
      longest = std::max(longest, scale_ * part.others_delay + std::max(0.0, rank.stamped - rank.now));
    }
    const double done = issued + step.transfers[which] + longest;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const double late = scale_ * step.ranks[i][which].late;
      ranks_[i].others += scale_ * step.ranks[i][which].others_delay + late;
      ranks_[i].last().completed_ns = std::llround(done);
      ranks_[i].last().late_ns = std::llround(late);
      if (late > 0) ranks_[i].stamped = done + late;
      ranks_[i].last().others_delay_ns = std::llround(ranks_[i].others);
    }
    return done;
  }

  // By hand: each rank computes on, waits, and is woken late.
  void exchange(const Step& step, std::size_t which) {
    const double done = issue(step, which);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      const auto& part = step.ranks[i][which];
      auto& rank = ranks_[i];
      rank.takes(part.beside, scale_ * part.delay_beside);
      rank.last().wait_begin = rank.instant();
      rank.last().waited_ns = std::max<std::int64_t>(1, std::llround(done - rank.now));
      rank.last().main_delay_ns = std::llround(rank.delay);
      wait_until(rank, done, part);
    }
  }

  void take_buckets(const Step& step) {
    double done = 0;
    for (std::size_t which = 0; which < step.transfers.size(); ++which) done = std::max(done, issue(step, which));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      for (auto& one : ranks_[i].block.steps.back().collectives) one.main_delay_ns = std::llround(ranks_[i].delay);
      wait_until(ranks_[i], done, step.ranks[i].back());
    }
  }

  void wait_until(Rank& rank, double done, const Part& part) const {
    rank.now = std::max(rank.now, done);
    rank.takes(0, scale_ * part.delay_behind);
  }

  std::vector<Step> steps_;
  double scale_ = 1;  // of the delays
  std::vector<Rank> ranks_;
  std::vector<double> ends_;
};

std::vector<double> awaited_of(const std::vector<PathBlock>& ranks) {
  return awaited_ns(ranks, std::vector<std::size_t>(ranks.size(), 0));
}

// Two ranks that compute so long, exchange once, and do no more.
Step exchange(double first, double second, double transfer) { return {{{{first}}, {{second}}}, {transfer}, {0, 0}}; }

TEST(AwaitedTime, OfOneRankIsItsOwnTime) {
  PathBlock alone;
  alone.steps = {{{1000, 0}, {}}, {{3000, 700}, {}}};  // in the second step others had its core for 700
  EXPECT_THAT(awaited_of({alone}), ElementsAre(1000, 1300));
}

TEST(AwaitedTime, IsThatOfTheSlowestRankAndTheTransfer) {
  EXPECT_THAT(awaited_of(Program({exchange(500, 800, 100), exchange(700, 300, 100)}).blocks()), ElementsAre(900, 800));
}

TEST(AwaitedTime, OfASleepOnOneRankIsTheSleep) {
  auto slept = exchange(500, 500, 100);
  slept.ranks[0][0].before += 250;  // no CPU, no run delay: what it waits for by its own will
  EXPECT_THAT(awaited_of(Program({exchange(500, 500, 100), slept}).blocks()), ElementsAre(600, 850));
}

TEST(AwaitedTime, LeavesOutWhatNeighboursTake) {
  auto step = exchange(500, 800, 100);
  step.ranks[0][0].delay_before = 4000;
  step.ranks[1][0].delay_behind = 2500;
  step.ranks[1][0].others_delay = 3000;
  EXPECT_THAT(awaited_of(Program({step, exchange(500, 800, 100)}).blocks()), ElementsAre(900, 900));
}

// The rank was kept from its core while the transfer ran: alone it would have waited for it.
TEST(AwaitedTime, CountsATransferThatADelayHid) {
  auto step = exchange(500, 500, 300);
  for (auto& rank : step.ranks) {
    rank[0].beside = 100;
    rank[0].delay_beside = 2000;
  }
  EXPECT_THAT(awaited_of(Program({step}).blocks()), ElementsAre(800));
}

// DDP's buckets: the first is issued within backward, the last at its end.
Step backward(double first_transfer, double last_transfer) {
  return {{{{200}, {500}}, {{200}, {500}}}, {first_transfer, last_transfer}, {50, 50}, true};
}

TEST(AwaitedTime, OfAHiddenBucketIsNothing) {
  EXPECT_THAT(awaited_of(Program({backward(400, 0), backward(10, 0)}).blocks()), ElementsAre(750, 750));
}

TEST(AwaitedTime, OfAHalfHiddenBucketIsTheOtherHalf) {
  EXPECT_THAT(awaited_of(Program({backward(900, 0)}).blocks()), ElementsAre(200 + 900 + 50));
}

TEST(AwaitedTime, OfAnExposedBucketIsItsTransfer) {
  EXPECT_THAT(awaited_of(Program({backward(100, 300)}).blocks()), ElementsAre(700 + 300 + 50));
}

// By hand, at once.
PathCollective waited_for(CollectiveKind kind, std::int64_t issued_ns, std::int64_t completed_ns, std::int64_t root) {
  PathCollective one;
  one.kind = kind;
  one.root = root;
  one.returned = one.wait_begin = {issued_ns, 0};
  one.completed_ns = completed_ns;
  one.waited_ns = completed_ns - issued_ns;
  return one;
}

PathCollective broadcast(std::int64_t issued_ns, std::int64_t completed_ns) {
  return waited_for(CollectiveKind::kBroadcast, issued_ns, completed_ns, 0);
}

// Rank 0 sends and goes on; the other one waits for it.
TEST(AwaitedTime, TheRootOfABroadcastWaitsForNobody) {
  const PathBlock root{0, {{{2000, 0}, {broadcast(1000, 1050)}}}}, other{0, {{{1400, 0}, {broadcast(200, 1300)}}}};
  EXPECT_THAT(awaited_of({root, other}), ElementsAre(2000));
  // The other one is late: the data are there already.
  const PathBlock early{0, {{{900, 0}, {broadcast(200, 250)}}}}, late{0, {{{1400, 0}, {broadcast(1000, 1300)}}}};
  EXPECT_THAT(awaited_of({early, late}), ElementsAre(1400));
}

// Issued in one step and waited for in the next: the wait counts once.
TEST(AwaitedTime, OfAWaitBehindTheStepsEndCountsOnce) {
  PathCollective one;
  one.returned = {900, 0};
  one.wait_begin = {1100, 0};
  one.waited_ns = 200;
  one.completed_ns = 1300;
  const PathBlock alone{0, {{{1000, 0}, {one}}, {{1500, 0}, {}}}};
  const auto found = awaited_of({alone, alone});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0] + found[1], 1500);
}

TEST(AwaitedTime, OfASendIsTheRanksOwn) {
  const auto sent = waited_for(CollectiveKind::kSend, 100, 150, CollectiveRecord::kNoRoot);
  const auto received = waited_for(CollectiveKind::kReceive, 50, 400, CollectiveRecord::kNoRoot);
  EXPECT_THAT(awaited_of({{0, {{{300, 0}, {sent}}}}, {0, {{{600, 0}, {received}}}}}), ElementsAre(600));
}

TEST(AwaitedTime, OfAnotherHostIsOnItsOwnClock) {
  auto ranks = Program({exchange(500, 800, 100), exchange(700, 300, 100), exchange(400, 100, 50)}).blocks();
  ranks[1].begin_ns += 123456789;
  EXPECT_THAT(awaited_ns(ranks, {0, 1}), ElementsAre(900, 800, 450));
}

TEST(AwaitedTime, IsNotKnownWhereRanksTellOfDifferentCollectives) {
  auto ranks = Program({exchange(500, 800, 100)}).blocks();
  ranks[1].steps[0].collectives[0].kind = CollectiveKind::kBarrier;
  EXPECT_THAT(awaited_of(ranks), IsEmpty());
  ranks[1].steps[0].collectives.clear();
  EXPECT_THAT(awaited_of(ranks), IsEmpty());
  EXPECT_THAT(awaited_of({PathBlock{}, ranks[0]}), IsEmpty());
  EXPECT_THAT(awaited_of({}), IsEmpty());
}

// Programs drawn at random, of two to five ranks: whatever neighbours take, and wherever, the awaited time is what the same program takes alone.
TEST(AwaitedTime, OfAnyProgramIsWhatItTakesAlone) {
  SplitMix64 words(7);
  const auto upto = [&](std::uint64_t most) { return static_cast<double>(words.next() % (most + 1)); };
  const auto at_times = [&](std::uint64_t most) { return words.next() % 3 == 0 ? upto(most) : 0; };
  for (int drawn = 0; drawn < 500; ++drawn) {
    const auto ranks = 2 + words.next() % 4;
    std::vector<Step> steps(1 + words.next() % 6);
    for (auto& step : steps) {
      step.buckets = words.next() % 2 == 0;
      for (auto left = 1 + words.next() % 3; left > 0; --left) step.transfers.push_back(upto(600));
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        step.tails.push_back(upto(300));
        auto& parts = step.ranks.emplace_back();
        for (std::size_t i = 0; i < step.transfers.size(); ++i) {
          // Only the last bucket's threads are delayed: what a delay of the first one adds to the second depends on the backend.
          const bool may_be_late = !step.buckets || i + 1 == step.transfers.size();
          parts.push_back({upto(1000), step.buckets ? 0 : upto(400), at_times(5000), step.buckets ? 0 : at_times(5000),
                           at_times(5000), may_be_late ? at_times(5000) : 0, may_be_late ? at_times(5000) : 0});
        }
      }
    }
    Program program(std::move(steps));
    const auto truth = program.undisturbed();
    const auto found = awaited_of(program.blocks());
    ASSERT_EQ(found.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(found[i], truth[i], 0.5) << "program " << drawn << ", step " << i;
  }
}

TEST(PathBlock, ComesThroughItsPayload) {
  auto steps = Program({backward(900, 0), exchange(1, 2, 3)}).blocks();
  steps[1].begin_ns = 1234567890123;
  const auto read = path_from_payload(to_payload(steps[1]));
  EXPECT_EQ(to_payload(read), to_payload(steps[1]));
  EXPECT_EQ(read.begin_ns, 1234567890123);
  ASSERT_EQ(read.steps.size(), 2U);
  EXPECT_EQ(read.steps[0].collectives.size(), 2U);
  EXPECT_THROW(path_from_payload("1 zebra"), Error);
  EXPECT_THROW(path_from_payload("1 2 3 9 "), Error);
}

// The backend's thread wakes the main one, and has its core again only when the next step is long over: the steps take what they take.
TEST(AwaitedTime, OfAStepDoesNotEndWhereALateStampIs) {
  std::vector<StepTimes> steps(2);
  steps[0] = {.begin_ns = 10000, .wall_ns = 2500, .backward_end = {11520, 0}};
  steps[1] = {.begin_ns = 12500, .wall_ns = 1000, .backward_end = {13000, 0}};
  CollectiveLog log(4);
  auto& record = log.add(CollectiveKind::kAllreduce, 64);
  record.returned = {11000, 0};
  record.main_delay_ns = 0;
  record.others_delay_ns = 5000;
  record.completed_ns = 16500;
  const auto block = path_of(steps, log.records(0, 1), {1, 1}, 0, true);
  EXPECT_EQ(block.steps[0].collectives.at(0).completed_ns, 1520);
  EXPECT_EQ(block.steps[0].collectives[0].late_ns, 4980);
  EXPECT_THAT(awaited_of({block}), ElementsAre(2480, 1000));  // 20 of the transfer were a delay
}

// The records of a block, as a rank sees them: on clocks that began long before.
TEST(PathBlock, CountsFromItsBegin) {
  std::vector<StepTimes> steps(2);
  steps[0] = {.begin_ns = 5000, .wall_ns = 1000, .begin_delay_ns = 300, .run_delay_ns = 40};
  steps[1] = {.begin_ns = 6000, .wall_ns = 2000, .begin_delay_ns = 340, .run_delay_ns = 60};
  CollectiveLog log(4);
  auto& record = log.add(CollectiveKind::kAllreduce, 64);
  record.returned = {6100, 345};
  record.main_delay_ns = 350;
  record.others_delay_ns = 77;
  record.completed_ns = 6700;
  const auto block = path_of(steps, log.records(0, 1), {0, 1}, 70, true);
  EXPECT_EQ(block.begin_ns, 5000);
  ASSERT_EQ(block.steps.size(), 2U);
  EXPECT_EQ(block.steps[0].end.wall_ns, 1000);
  EXPECT_EQ(block.steps[1].end.wall_ns, 3000);
  EXPECT_EQ(block.steps[1].end.delay_ns, 100);
  const auto& one = block.steps[1].collectives.at(0);
  EXPECT_EQ(one.returned.wall_ns, 1100);
  EXPECT_EQ(one.returned.delay_ns, 45);
  EXPECT_EQ(one.completed_ns, 1700);
  EXPECT_EQ(one.main_delay_ns, 50);
  EXPECT_EQ(one.others_delay_ns, 7);
  EXPECT_THAT(path_of(steps, log.records(0, 1), {0, 1}, 70, false).steps[1].collectives, IsEmpty());  // the ideal network
  EXPECT_THAT(path_of({}, {}, {}, 0, true).steps, IsEmpty());
}

}  // namespace
}  // namespace ddpbench
