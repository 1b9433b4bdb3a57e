// What Reducer costs where the network takes no time, and what the real collectives take between two ranks on this host.
#include <benchmark/benchmark.h>

#include <array>
#include <mutex>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/arms/raw_step.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/ideal_backend.hpp"
#include "workloads/micro/short_training.hpp"

namespace ddpbench {
namespace {

c10::intrusive_ptr<c10d::ProcessGroup> ideal_group() {
  auto group = c10::make_intrusive<c10d::ProcessGroup>(c10::make_intrusive<c10d::HashStore>(), 0, 2);
  const auto type = c10d::ProcessGroup::BackendType::CUSTOM;
  group->setBackend(at::kCPU, type, c10::make_intrusive<IdealBackend>(0, 2));
  group->setDefaultBackend(type);
  return group;
}

// The raw step of the null model: `single` without Reducer, `ddp` with it and an ideal network.
void reducer(benchmark::State& state, const std::string& strategy_name) {
  ShortTraining training("null", strategy_name, ideal_group());
  for (int i = 0; i < 20; ++i) raw_step(training.session());
  for (auto _ : state) raw_step(training.session());
}
BENCHMARK_CAPTURE(reducer, single, "single")->Name("reducer/without")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reducer, ddp, "ddp")->Name("reducer/ideal_network")->Unit(benchmark::kMicrosecond);

// LibTorch's flight recorder notes a group at its first collective, in a table of the process and without its lock
// (FlightRecorderDetail.hpp): two threads that begin their groups at the same time would break the table. Here they begin in turn, and
// the wait holds each back until both have begun.
void begin_in_turn(c10d::Backend& backend) {
  static std::mutex turn;
  std::vector<at::Tensor> tensors{torch::ones({1})};
  c10::intrusive_ptr<c10d::Work> first;
  {
    const std::scoped_lock lock(turn);
    first = backend.allreduce(tensors, c10d::AllreduceOptions{});
  }
  first->wait();
}

// The two ranks are threads of this process; Google Benchmark runs this function several times on each.
c10::intrusive_ptr<c10d::Backend> gloo_between_threads(int rank) {
  static const auto store = c10::make_intrusive<c10d::HashStore>();
  static std::array<int, 2> meetings{};
  const auto name = std::to_string(++meetings.at(static_cast<std::size_t>(rank)));
  RankInfo info;
  info.rank = rank;
  info.world_size = 2;
  auto backend = make_gloo({c10::make_intrusive<c10d::PrefixStore>(name, store), info, std::chrono::milliseconds(60'000)});
  begin_in_turn(*backend);
  return backend;
}

// Bytes per second is algbw by nccl-tests' definition, and between two ranks busbw too: 2 (n - 1) / n = 1.
void all_reduce(benchmark::State& state) {
  const auto backend = gloo_between_threads(state.thread_index());
  std::vector<at::Tensor> tensors{torch::ones({state.range(0) / static_cast<std::int64_t>(sizeof(float))})};
  for (auto _ : state) backend->allreduce(tensors, c10d::AllreduceOptions{})->wait();
  if (state.thread_index() == 0) state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(all_reduce)
    ->Name("all_reduce/gloo")
    ->ArgName("bytes")
    ->RangeMultiplier(16)
    ->Range(1 << 10, 1 << 26)
    ->Threads(2)
    ->UseRealTime();

void broadcast(benchmark::State& state) {
  const auto backend = gloo_between_threads(state.thread_index());
  std::vector<at::Tensor> tensors{torch::ones({state.range(0) / static_cast<std::int64_t>(sizeof(float))})};
  for (auto _ : state) backend->broadcast(tensors, c10d::BroadcastOptions{})->wait();
  if (state.thread_index() == 0) state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(broadcast)
    ->Name("broadcast/gloo")
    ->ArgName("bytes")
    ->RangeMultiplier(16)
    ->Range(1 << 10, 1 << 26)
    ->Threads(2)
    ->UseRealTime();

}  // namespace
}  // namespace ddpbench
