#include <gtest/gtest.h>

#include "harness/ranks/rank_group.hpp"
#include "tests/support/spawn_ranks.hpp"

namespace ddpbench {
namespace {

constexpr std::chrono::milliseconds kPeersTimeout{20'000};

at::Tensor of_rank(std::int64_t rank) { return torch::full({2, 3}, static_cast<double>(rank + 1)); }

at::Tensor all_reduced(Collectives& collectives, Reduction how) {
  auto tensor = of_rank(collectives.rank());
  collectives.all_reduce(tensor, how);
  return tensor;
}

bool is_all(const at::Tensor& tensor, double value) { return at::equal(tensor, torch::full_like(tensor, value)); }

// What every Collectives promises, whatever the number of ranks.
void keeps_its_promises(Collectives& collectives) {
  const auto ranks = collectives.world_size();
  const auto last = static_cast<double>(ranks);
  require(is_all(all_reduced(collectives, Reduction::kSum), last * (last + 1) / 2), "sum");
  require(is_all(all_reduced(collectives, Reduction::kMean), (last + 1) / 2), "mean");
  require(is_all(all_reduced(collectives, Reduction::kMin), 1), "min");
  require(is_all(all_reduced(collectives, Reduction::kMax), last), "max");
  for (const std::int64_t from : {std::int64_t{0}, ranks - 1}) {
    auto tensor = of_rank(collectives.rank());
    collectives.broadcast(tensor, from);
    require(at::equal(tensor, of_rank(from)), "broadcast from rank " + std::to_string(from));
  }
  const auto mine = of_rank(collectives.rank());
  const auto gathered = collectives.all_gather(mine);
  require(gathered.sizes() == at::IntArrayRef({ranks, 2, 3}), "shape of what was gathered");
  for (std::int64_t rank = 0; rank < ranks; ++rank) require(at::equal(gathered[rank], of_rank(rank)), "gathered, by rank");
  require(at::equal(mine, of_rank(collectives.rank())), "all_gather changed what it was given");
  const auto peer = collectives.rank() ^ 1;  // 0 with 1, 2 with 3; who has none stays out of it
  auto swapped = of_rank(collectives.rank());
  if (peer < ranks) {
    collectives.swap_with(swapped, peer);
    require(at::equal(swapped, of_rank(peer)), "swapped with rank " + std::to_string(peer));
  }
  collectives.barrier();
}

// With gradients on, as they are in a step.
void of_a_group_keep_their_promises(const RankInfo& info) {
  const auto group = RankGroup::rendezvous(info, "gloo", kPeersTimeout);
  require(group->collectives().rank() == info.rank && group->collectives().world_size() == info.world_size, "who they are");
  keeps_its_promises(group->collectives());
  auto parameter = of_rank(info.rank).requires_grad_();
  group->collectives().all_reduce(parameter);
  require(!parameter.grad_fn(), "a collective is no part of the graph");
  group->leave();
}

TEST(CollectivesConformance, OneRank) { EXPECT_EQ(spawn_ranks(1, of_a_group_keep_their_promises), ""); }
TEST(CollectivesConformance, TwoRanks) { EXPECT_EQ(spawn_ranks(2, of_a_group_keep_their_promises), ""); }
TEST(CollectivesConformance, ThreeRanks) { EXPECT_EQ(spawn_ranks(3, of_a_group_keep_their_promises), ""); }
TEST(CollectivesConformance, ARankWithoutAGroup) { EXPECT_NO_THROW(keeps_its_promises(one_rank())); }

void are_in_the_log(const RankInfo& info) {
  const auto group = RankGroup::rendezvous(info, "gloo", kPeersTimeout);
  auto& collectives = group->collectives();
  auto tensor = torch::zeros({25});
  collectives.all_reduce(tensor);
  collectives.broadcast(tensor);
  collectives.all_gather(tensor);
  collectives.barrier();
  auto& log = group->log();
  const CollectiveKind kinds[] = {CollectiveKind::kAllreduce, CollectiveKind::kBroadcast, CollectiveKind::kAllgather,
                                  CollectiveKind::kBarrier};
  require(log.size() == std::size(kinds), std::to_string(log.size()) + " collectives in the log");
  const auto records = log.records(0, log.size());
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    const std::int64_t bytes = kinds[i] == CollectiveKind::kBarrier ? 0 : 100;
    require(records[i].kind == kinds[i] && records[i].bytes == bytes, "kind and bytes of collective " + std::to_string(i));
    require(records[i].waited_ns > 0, "its wait is not clocked");
  }
  group->leave();
}

TEST(CollectivesConformance, AreSeenByTheObservingLogOnTwoRanks) { EXPECT_EQ(spawn_ranks(2, are_in_the_log), ""); }
TEST(CollectivesConformance, AreSeenOnOneRankToo) { EXPECT_EQ(spawn_ranks(1, are_in_the_log), ""); }

}  // namespace
}  // namespace ddpbench
