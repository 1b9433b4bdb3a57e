#include "tests/harness/ranks/every_collective.hpp"

#include <gtest/gtest.h>

#include <set>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "harness/api/torch.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/ideal_backend.hpp"
#include "harness/ranks/observing_backend.hpp"
#include "harness/ranks/rendezvous_store.hpp"
#include "harness/ranks/store_control_channel.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "tests/support/spawn_ranks.hpp"

namespace ddpbench::test {
namespace {

// What the gloo of some release that we build against has not; everything else has to run.
const std::set<std::string> kMayLack{"alltoall",
                                     "coalescing",
                                     "allreduce_sparse",
                                     "allgather_into_tensor_coalesced",
                                     "reduce_scatter",
                                     "_reduce_scatter_base",
                                     "reduce_scatter_tensor_coalesced"};

c10::intrusive_ptr<c10d::Backend> gloo_of(const RankInfo& info, const c10::intrusive_ptr<c10d::Store>& store,
                                          const std::string& prefix) {
  const auto own_store = c10::make_intrusive<c10d::PrefixStore>(prefix, store);
  return find_entry(backends(), "backend", "gloo").make({own_store, info, std::chrono::milliseconds{20'000}});
}

struct Ended {
  Tensors result;
  std::string refusal;
};

Ended ended(const Case& one, c10d::Backend& backend) {
  try {
    return {one.run(backend), ""};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

void require_same(const Case& one, const Ended& bare, const Ended& observed) {
  const std::string name = one.name;
  require(bare.refusal.empty() || kMayLack.contains(name), name + ", gloo itself: " + bare.refusal);
  require(observed.refusal.empty() == bare.refusal.empty(), name + ", observed: " + observed.refusal);
  require(observed.result.size() == bare.result.size(), name + ": another number of results");
  for (std::size_t i = 0; i < bare.result.size(); ++i) {
    require(at::equal(bare.result[i], observed.result[i]), name + ": another result " + std::to_string(i));
  }
}

// The same calls on a bare backend, on an observed one, and on the ideal network.
void behave_alike(const RankInfo& info) {
  const auto store = open_store(info, std::chrono::milliseconds{20'000});
  const auto bare = gloo_of(info, store, "bare");
  CollectiveLog log(64);
  const auto observed = c10::make_intrusive<ObservingBackend>(gloo_of(info, store, "observed"), log);
  require(observed->getBackendName() == bare->getBackendName(), "another name");
  for (const auto& one : kCollectiveCases) {
    if (one.least_ranks > static_cast<std::size_t>(info.world_size)) continue;
    const auto on_bare = ended(one, *bare);
    require_same(one, on_bare, ended(one, *observed));
    const bool issues = on_bare.refusal.empty() && std::string(one.name) != "sequence numbers";
    if (info.rank < 2) require((log.size() > 0) == issues, std::string(one.name) + ": not in the log, or refused and there");
    log.clear();  // returns only once every completion is stamped
    observed->make_ideal(true);
    const auto ideal = ended(one, *observed);
    require(ideal.refusal.empty(), std::string(one.name) + ", ideal: " + ideal.refusal);
    log.clear();
    observed->make_ideal(false);
  }
  StoreControlChannel(store, info.rank, info.world_size).leave();
}

TEST(EveryCollective, IsPassedOnWithOneRank) { EXPECT_EQ(spawn_ranks(1, behave_alike), ""); }
TEST(EveryCollective, IsPassedOnWithTwoRanks) { EXPECT_EQ(spawn_ranks(2, behave_alike), ""); }
TEST(EveryCollective, IsPassedOnWithThreeRanks) { EXPECT_EQ(spawn_ranks(3, behave_alike), ""); }

// What gloo never does: no Work at all (nccl's, asked not to be asynchronous), and a Work without a future that nobody waits for.
class ShortSpoken final : public c10d::Backend {
 public:
  ShortSpoken() : c10d::Backend(0, 1) {}
  const std::string getBackendName() const override { return "short-spoken"; }
  c10::intrusive_ptr<c10d::Work> broadcast(Tensors& /*tensors*/, const c10d::BroadcastOptions& /*options*/) override {
    return {};
  }
  void startCoalescing() override {}
  c10::intrusive_ptr<c10d::Work> endCoalescing() override { return {}; }
  c10::intrusive_ptr<c10d::Work> send(Tensors& /*tensors*/, int /*to_rank*/, int /*tag*/) override {
    return c10::make_intrusive<c10d::Work>();
  }
};

TEST(ObservingBackend, TakesNoWorkAndWorkWithoutAFuture) {
  CollectiveLog log(8);
  const auto observed = c10::make_intrusive<ObservingBackend>(c10::make_intrusive<ShortSpoken>(), log);
  Tensors tensors{torch::ones({4})};
  EXPECT_EQ(observed->broadcast(tensors, {}), nullptr);
  observed->startCoalescing();
  EXPECT_EQ(observed->endCoalescing(), nullptr);
  EXPECT_NE(observed->send(tensors, 0, 0), nullptr);
  ASSERT_EQ(log.size(), 3U);
  for (const auto& record : log.records(0, 3)) EXPECT_GE(record.completed_ns.load(), record.issued_ns);
  EXPECT_EQ(over_phases(comm_waits_ns(log.records(0, 3))), 0);
  EXPECT_THROW(observed->barrier({}), std::exception);
  EXPECT_EQ(log.size(), 3U) << "what upstream refuses was no collective";
  log.clear();
}

// A rank stands for all: of every place of the real result it has its own values.
TEST(IdealBackend, GivesARankItsOwnValues) {
  const auto ideal = c10::make_intrusive<IdealBackend>(1, 3);
  const auto mine = own(*ideal);
  for (const auto& gathered : allgather(*ideal)) EXPECT_TRUE(at::equal(gathered, mine));
  EXPECT_TRUE(at::equal(allgather_base(*ideal).front(), at::cat({mine, mine, mine})));
  EXPECT_TRUE(at::equal(allreduce(*ideal).front(), mine));
  EXPECT_TRUE(at::equal(reduce_scatter(*ideal).front(), mine + 1)) << "the second of its own parts";
  EXPECT_TRUE(at::equal(reduce_scatter_base(*ideal).front(), parts(*ideal).slice(0, 4, 8)));
  EXPECT_TRUE(at::equal(alltoall_base(*ideal).front(), parts(*ideal)));
  EXPECT_TRUE(at::equal(send_and_receive(*ideal).front(), empty())) << "nobody sent anything";
}

}  // namespace
}  // namespace ddpbench::test
