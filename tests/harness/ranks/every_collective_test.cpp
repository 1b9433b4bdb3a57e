#include <gtest/gtest.h>

#include <array>
#include <set>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "harness/api/torch.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/ideal_backend.hpp"
#include "harness/ranks/observing_backend.hpp"
#include "harness/ranks/rendezvous_store.hpp"
#include "harness/ranks/store_agreement.hpp"
#include "suite/contract/registry.hpp"
#include "tests/support/spawn_ranks.hpp"

namespace ddpbench {
namespace {

using Tensors = std::vector<at::Tensor>;

// Four numbers that differ by rank and place.
at::Tensor own(const c10d::Backend& backend) { return torch::arange(4, at::kFloat) + 10.0 * (backend.getRank() + 1); }
at::Tensor empty(std::int64_t size = 4) { return torch::full({size}, -1.0); }
// One part for each rank.
at::Tensor parts(const c10d::Backend& backend) {
  return torch::arange(4 * backend.getSize(), at::kFloat) + 100.0 * (backend.getRank() + 1);
}
Tensors list(const c10d::Backend& backend, const at::Tensor& like) {
  Tensors tensors;
  for (int rank = 0; rank < backend.getSize(); ++rank) tensors.push_back(like + rank);
  return tensors;
}
Tensors waited(const c10::intrusive_ptr<c10d::Work>& work, Tensors result) {
  work->wait();
  return result;
}

struct Case {
  const char* name;
  Tensors (*run)(c10d::Backend& backend);
  std::size_t least_ranks = 1;
};

Tensors broadcast(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  return waited(backend.broadcast(tensors, {}), tensors);
}
Tensors allreduce(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  return waited(backend.allreduce(tensors, {}), tensors);
}
Tensors allreduce_sparse(c10d::Backend& backend) {
  Tensors tensors{own(backend).to_sparse()};
  return waited(backend.allreduce_sparse(tensors, {}), {tensors.front().to_dense()});
}
Tensors allreduce_coalesced(c10d::Backend& backend) {
  Tensors tensors{own(backend), 2 * own(backend)};
  return waited(backend.allreduce_coalesced(tensors, {}), tensors);
}
Tensors reduce(c10d::Backend& backend) {
  Tensors tensors{own(backend)};
  backend.reduce(tensors, {})->wait();
  return backend.getRank() == 0 ? tensors : Tensors{};  // the others' tensors are scratch
}
Tensors allgather(c10d::Backend& backend) {
  std::vector<Tensors> outputs{list(backend, empty())};
  Tensors inputs{own(backend)};
  backend.allgather(outputs, inputs, {})->wait();
  return outputs.front();
}
Tensors allgather_base(c10d::Backend& backend) {
  auto output = empty(4 * backend.getSize()), input = own(backend);
  return waited(backend._allgather_base(output, input, {}), {output});
}
Tensors allgather_coalesced(c10d::Backend& backend) {
  std::vector<Tensors> outputs;
  for (int rank = 0; rank < backend.getSize(); ++rank) outputs.push_back({empty(), empty()});
  Tensors inputs{own(backend), 2 * own(backend)};
  backend.allgather_coalesced(outputs, inputs, {})->wait();
  Tensors all;
  for (const auto& of_rank : outputs) all.insert(all.end(), of_rank.begin(), of_rank.end());
  return all;
}
Tensors allgather_into_tensor_coalesced(c10d::Backend& backend) {
  Tensors outputs{empty(4 * backend.getSize()), empty(4 * backend.getSize())}, inputs{own(backend), 2 * own(backend)};
  return waited(backend.allgather_into_tensor_coalesced(outputs, inputs, {}), outputs);
}
Tensors gather(c10d::Backend& backend) {
  std::vector<Tensors> outputs;
  if (backend.getRank() == 0) outputs.push_back(list(backend, empty()));
  Tensors inputs{own(backend)};
  backend.gather(outputs, inputs, {})->wait();
  return backend.getRank() == 0 ? outputs.front() : Tensors{};
}
Tensors scatter(c10d::Backend& backend) {
  std::vector<Tensors> inputs;
  if (backend.getRank() == 0) inputs.push_back(list(backend, own(backend)));
  Tensors outputs{empty()};
  return waited(backend.scatter(outputs, inputs, {}), outputs);
}
Tensors reduce_scatter(c10d::Backend& backend) {
  Tensors outputs{empty()};
  std::vector<Tensors> inputs{list(backend, own(backend))};
  return waited(backend.reduce_scatter(outputs, inputs, {}), outputs);
}
Tensors reduce_scatter_base(c10d::Backend& backend) {
  auto output = empty(), input = parts(backend);
  return waited(backend._reduce_scatter_base(output, input, {}), {output});
}
Tensors reduce_scatter_tensor_coalesced(c10d::Backend& backend) {
  Tensors outputs{empty(), empty()}, inputs{parts(backend), 2 * parts(backend)};
  return waited(backend.reduce_scatter_tensor_coalesced(outputs, inputs, {}), outputs);
}
Tensors alltoall_base(c10d::Backend& backend) {
  auto output = empty(4 * backend.getSize()), input = parts(backend);
  std::vector<std::int64_t> even;
  return waited(backend.alltoall_base(output, input, even, even, {}), {output});
}
// Rank r gets r + 1 numbers of every rank.
Tensors uneven_alltoall_base(c10d::Backend& backend) {
  std::vector<std::int64_t> gives, gets(static_cast<std::size_t>(backend.getSize()), backend.getRank() + 1);
  for (int rank = 0; rank < backend.getSize(); ++rank) gives.push_back(rank + 1);
  auto input = parts(backend).slice(0, 0, backend.getSize() * (backend.getSize() + 1) / 2).contiguous();
  auto output = empty(backend.getSize() * (backend.getRank() + 1));
  return waited(backend.alltoall_base(output, input, gets, gives, {}), {output});
}
Tensors alltoall(c10d::Backend& backend) {
  auto outputs = list(backend, empty()), inputs = list(backend, own(backend));
  return waited(backend.alltoall(outputs, inputs, {}), outputs);
}
Tensors send_and_receive(c10d::Backend& backend) {
  const int next = (backend.getRank() + 1) % backend.getSize();
  const int before = (backend.getRank() + backend.getSize() - 1) % backend.getSize();
  Tensors mine{own(backend)}, theirs{empty()};
  const auto sent = backend.send(mine, next, 7);
  backend.recv(theirs, before, 7)->wait();
  return waited(sent, theirs);
}
Tensors receive_from_any(c10d::Backend& backend) {
  Tensors mine{own(backend)}, theirs{empty()};
  if (backend.getRank() == 1) return waited(backend.send(mine, 0, 8), {});
  if (backend.getRank() > 1) return {};
  return waited(backend.recvAnysource(theirs, 8), theirs);
}
Tensors barrier(c10d::Backend& backend) { return waited(backend.barrier({}), {}); }
Tensors monitored_barrier(c10d::Backend& backend) {
  backend.monitoredBarrier({}, true);
  return {};
}
Tensors coalesced(c10d::Backend& backend) {
  backend.startCoalescing();
  return waited(backend.endCoalescing(), {});
}
Tensors sequence_numbers(c10d::Backend& backend) {
  backend.setSequenceNumberForGroup();
  return {torch::full({1}, static_cast<double>(backend.getSequenceNumberForGroup()))};
}

constexpr std::array kCases{Case{"broadcast", broadcast},
                            Case{"allreduce", allreduce},
                            Case{"allreduce_sparse", allreduce_sparse},
                            Case{"allreduce_coalesced", allreduce_coalesced},
                            Case{"reduce", reduce},
                            Case{"allgather", allgather},
                            Case{"_allgather_base", allgather_base},
                            Case{"allgather_coalesced", allgather_coalesced},
                            Case{"allgather_into_tensor_coalesced", allgather_into_tensor_coalesced},
                            Case{"gather", gather},
                            Case{"scatter", scatter},
                            Case{"reduce_scatter", reduce_scatter},
                            Case{"_reduce_scatter_base", reduce_scatter_base},
                            Case{"reduce_scatter_tensor_coalesced", reduce_scatter_tensor_coalesced},
                            Case{"alltoall_base", alltoall_base},
                            Case{"alltoall_base, uneven", uneven_alltoall_base},
                            Case{"alltoall", alltoall},
                            Case{"send, recv", send_and_receive, 2},
                            Case{"recvAnysource", receive_from_any, 2},
                            Case{"barrier", barrier},
                            Case{"monitoredBarrier", monitored_barrier},
                            Case{"coalescing", coalesced},
                            Case{"sequence numbers", sequence_numbers}};

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
  for (const auto& one : kCases) {
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
  StoreAgreement(store, info.rank, info.world_size).leave();
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
  EXPECT_EQ(comm_wait_ns(log.records(0, 3)), 0);
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
}  // namespace ddpbench
