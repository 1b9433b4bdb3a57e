// One rank of: every collective of c10d's, means, ways to wait, and random sequences of overlapping collectives over mpi, each compared with gloo's. mpirun starts the ranks:
//   mpirun -np N mpi_against_gloo SEQUENCES SEED thread|poll
// All numbers are whole and small, so that every sum is exact in every type, and results must be equal.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <set>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "harness/api/torch.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/mpi_module.hpp"
#include "harness/ranks/rank_group.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "tests/harness/ranks/every_collective.hpp"

namespace ddpbench {
namespace {

using Tensors = std::vector<at::Tensor>;
using Work = c10::intrusive_ptr<c10d::Work>;
using How = c10d::ReduceOp::RedOpType;

constexpr std::chrono::milliseconds kTimeout{60'000};
constexpr std::int64_t kMostElements = 3000;
constexpr std::int64_t kMostAtOnce = 6;

// What a collective was begun with, on one backend: its Work, and where its result stands.
struct Begun {
  Work work;
  Tensors results;
};

struct Draw {
  std::mt19937_64& generator;  // alike on all ranks
  std::int64_t below(std::int64_t bound) const {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(bound));
  }
};

struct Setting {
  std::int64_t kind, size, root, seed;
  at::ScalarType type;
  How how;
};

Setting draw_setting(const Draw& draw, int ranks) {
  constexpr at::ScalarType kTypes[] = {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kByte};
  constexpr How kHow[] = {How::SUM, How::MIN, How::MAX, How::PRODUCT};
  Setting setting{};
  setting.kind = draw.below(12);
  setting.size = draw.below(4) == 0 ? draw.below(8) : draw.below(kMostElements);
  setting.root = draw.below(ranks);
  setting.seed = draw.below(1'000'000);
  setting.type = kTypes[draw.below(std::size(kTypes))];
  setting.how = kHow[draw.below(std::size(kHow))];
  return setting;
}

// This rank's numbers: 0, 1, 2 or 3; where they are multiplied 1 or 2.
at::Tensor numbers(const Setting& setting, std::int64_t count, int rank) {
  torch::manual_seed(static_cast<std::uint64_t>(setting.seed + 7919 * rank));
  const bool multiplies = setting.how == How::PRODUCT;
  return torch::randint(multiplies ? 1 : 0, multiplies ? 3 : 4, {count}, at::kLong).to(setting.type);
}

Tensors numbers_for_each(const Setting& setting, const c10d::Backend& backend) {
  Tensors list;
  for (int rank = 0; rank < backend.getSize(); ++rank)
    list.push_back(
        numbers({.kind = 0, .size = 0, .root = 0, .seed = setting.seed + 31 * rank, .type = setting.type, .how = setting.how},
                setting.size, backend.getRank()));
  return list;
}

Tensors rooms_for_each(const Setting& setting, const c10d::Backend& backend) {
  Tensors list;
  for (int rank = 0; rank < backend.getSize(); ++rank) list.push_back(torch::zeros({setting.size}, setting.type));
  return list;
}

// NOLINTNEXTLINE(readability-function-size): a list of the kinds, one beside the other
Begun begin(c10d::Backend& backend, const Setting& s) {
  const int ranks = backend.getSize(), rank = backend.getRank();
  Tensors mine{numbers(s, s.size, rank)};
  c10d::ReduceOptions to_root;
  c10d::AllreduceOptions to_all;
  to_all.reduceOp = s.how;
  to_root.reduceOp = s.how;
  to_root.rootRank = s.root;
  switch (s.kind) {
    case 0:
    case 1: return {backend.allreduce(mine, to_all), mine};
    case 2: {
      c10d::BroadcastOptions from;
      from.rootRank = s.root;
      return {backend.broadcast(mine, from), mine};
    }
    case 3: {
      const auto work = backend.reduce(mine, to_root);
      return {work, s.root == rank ? mine : Tensors{}};
    }
    case 4: {
      std::vector<Tensors> rooms{rooms_for_each(s, backend)};
      return {backend.allgather(rooms, mine, {}), rooms.front()};
    }
    case 5: {
      auto room = torch::zeros({s.size * ranks}, s.type);
      return {backend._allgather_base(room, mine.front(), {}), {room}};
    }
    case 6: {
      c10d::ReduceScatterOptions options;
      options.reduceOp = s.how;
      std::vector<Tensors> parts{numbers_for_each(s, backend)};
      Tensors room{torch::zeros({s.size}, s.type)};
      return {backend.reduce_scatter(room, parts, options), room};
    }
    case 7: {
      c10d::GatherOptions options;
      options.rootRank = s.root;
      std::vector<Tensors> rooms;
      if (s.root == rank) rooms.push_back(rooms_for_each(s, backend));
      const auto work = backend.gather(rooms, mine, options);
      return {work, s.root == rank ? rooms.front() : Tensors{}};
    }
    case 8: {
      c10d::ScatterOptions options;
      options.rootRank = s.root;
      std::vector<Tensors> parts;
      if (s.root == rank) parts.push_back(numbers_for_each(s, backend));
      Tensors room{torch::zeros({s.size}, s.type)};
      return {backend.scatter(room, parts, options), room};
    }
    case 9: {
      auto all = numbers(s, s.size * ranks, rank), room = torch::zeros_like(all);
      std::vector<std::int64_t> equal, alike;
      return {backend.alltoall_base(room, all, equal, alike, {}), {room}};
    }
    case 10: {  // to the next rank, from the one before: sent first by the even ones
      const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
      Tensors room{torch::zeros({s.size}, s.type)};
      if (ranks == 1) return {nullptr, {}};
      const auto sent = backend.send(mine, to, static_cast<int>(s.seed % 100));
      const auto got = backend.recv(room, from, static_cast<int>(s.seed % 100));
      sent->wait();
      got->wait();
      return {nullptr, room};
    }
    default: return {backend.barrier({}), {}};
  }
}

std::string words(const Setting& s) {
  return "kind " + std::to_string(s.kind) + ", " + std::to_string(s.size) + " × " + c10::toString(s.type) + ", root " +
         std::to_string(s.root) + ", operation " + std::to_string(static_cast<int>(s.how));
}

void compare(const Setting& setting, const Begun& mpi, const Begun& gloo) {
  for (std::size_t i = 0; i < gloo.results.size(); ++i) {
    if (!at::equal(mpi.results.at(i), gloo.results[i])) throw Error("mpi and gloo differ: " + words(setting));
  }
}

void run_sequence(c10d::Backend& mpi, c10d::Backend& gloo, const Draw& draw) {
  std::vector<Setting> settings;
  for (auto count = 1 + draw.below(kMostAtOnce); count > 0; --count) settings.push_back(draw_setting(draw, mpi.getSize()));
  std::vector<Begun> of_mpi, of_gloo;
  for (const auto& setting : settings) of_mpi.push_back(begin(mpi, setting));
  for (const auto& setting : settings) of_gloo.push_back(begin(gloo, setting));
  for (std::size_t waited = settings.size(); waited > 0; --waited) {  // the last one first
    if (of_mpi[waited - 1].work) of_mpi[waited - 1].work->wait();
    if (of_gloo[waited - 1].work) of_gloo[waited - 1].work->wait();
    compare(settings[waited - 1], of_mpi[waited - 1], of_gloo[waited - 1]);
  }
}

void require_all(const at::Tensor& tensor, double value, const char* what) {
  if (!at::equal(tensor, torch::full_like(tensor, value))) throw Error(std::string(what) + ": a wrong number");
}

// Which gloo takes for some collectives only. Rank r has r + 1.
void means_are_right(c10d::Backend& mpi) {
  const int ranks = mpi.getSize();
  const double mean = (ranks + 1) / 2.0;
  const auto mine = [&](std::int64_t count) { return Tensors{torch::full({count}, mpi.getRank() + 1.0)}; };
  c10d::AllreduceOptions to_all;
  to_all.reduceOp = How::AVG;
  auto tensors = mine(5);
  mpi.allreduce(tensors, to_all)->wait();
  require_all(tensors.front(), mean, "allreduce");
  c10d::AllreduceCoalescedOptions coalesced;
  coalesced.reduceOp = How::AVG;
  tensors = mine(5);
  mpi.allreduce_coalesced(tensors, coalesced)->wait();
  require_all(tensors.front(), mean, "allreduce_coalesced");
  c10d::ReduceOptions to_root;
  to_root.reduceOp = How::AVG;
  tensors = mine(5);
  mpi.reduce(tensors, to_root)->wait();
  if (mpi.getRank() == 0) require_all(tensors.front(), mean, "reduce");
  c10d::ReduceScatterOptions parts;
  parts.reduceOp = How::AVG;
  auto inputs = mine(3 * ranks), outputs = mine(3);
  mpi._reduce_scatter_base(outputs.front(), inputs.front(), parts)->wait();
  require_all(outputs.front(), mean, "reduce_scatter");
  outputs = mine(3);
  mpi.reduce_scatter_tensor_coalesced(outputs, inputs, parts)->wait();
  require_all(outputs.front(), mean, "reduce_scatter_tensor_coalesced");
}

// Of what gloo has; mpi lacks none of it but sparse tensors, and gloo's own barrier.
void every_collective_alike(c10d::Backend& mpi, c10d::Backend& gloo) {
  const std::set<std::string> lacks{"allreduce_sparse", "monitoredBarrier", "coalescing", "sequence numbers"};
  for (const auto& one : test::kCollectiveCases) {
    if (lacks.contains(one.name) || one.least_ranks > static_cast<std::size_t>(mpi.getSize())) continue;
    Tensors expected;
    try {
      expected = one.run(gloo);
    } catch (const std::exception&) {
      continue;  // this release's gloo has it not
    }
    const auto found = one.run(mpi);
    if (found.size() != expected.size()) throw Error(std::string(one.name) + ": another number of results");
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!at::equal(found[i], expected[i])) throw Error(std::string(one.name) + ": another result " + std::to_string(i));
    }
  }
}

// By wait(), by a future asked for before the end or after it, and by looking again and again.
void every_way_to_wait(c10d::Backend& mpi) {
  const double sum = mpi.getSize() * (mpi.getSize() + 1) / 2.0;
  const std::function<void(c10d::Work&)> ways[] = {[](c10d::Work& work) { work.wait(); },
                                                   [](c10d::Work& work) { work.getFuture()->waitAndThrow(); },
                                                   [](c10d::Work& work) {
                                                     while (!work.isCompleted()) std::this_thread::yield();
                                                     work.getFuture()->waitAndThrow();
                                                   }};
  for (const auto& wait : ways) {
    Tensors tensors{torch::full({1000}, mpi.getRank() + 1.0)};
    const auto work = mpi.allreduce(tensors, {});
    wait(*work);
    require_all(tensors.front(), sum, "a way to wait");
    if (!work->getFuture()->completed()) throw Error("a work that has ended has a future that has not");
  }
}

// Two groups of one process; MPI ends with the last.
void a_second_group_outlives_the_first(c10d::Backend& first, c10d::Backend& second) {
  first.shutdown();
  every_way_to_wait(second);
  second.shutdown();
}

int run(int sequences, int seed, const std::string& progress) {
  const auto info = rank_info_from_environment();
  at::set_num_threads(1);
  const auto group = RankGroup::rendezvous(info, "gloo", kTimeout);
  const auto store = c10::make_intrusive<c10d::PrefixStore>("mpi", group->store());
  const auto make = [&](const char* how) {
    return mpi_module().make_mpi({store, info, kTimeout, at::kCPU, {{kMpiProgressOption, how}}});
  };
  const auto mpi = make(progress.c_str()), second = make(kMpiProgressPoll);
  every_collective_alike(*mpi, *group->backend());
  means_are_right(*mpi);
  every_way_to_wait(*mpi);
  std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
  for (int i = 0; i < sequences; ++i) run_sequence(*mpi, *group->backend(), {generator});
  a_second_group_outlives_the_first(*mpi, *second);
  group->leave();
  if (info.rank == 0) std::cout << sequences << " sequences on " << info.world_size << " ranks, " << progress << ": equal\n";
  return 0;
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** words) {
  try {
    if (count != 4) throw ddpbench::UsageError("usage: mpi_against_gloo SEQUENCES SEED thread|poll");
    return ddpbench::run(std::atoi(words[1]), std::atoi(words[2]), words[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
