// What Reducer costs where the network takes no time, and what the real collectives take between two ranks on this host.
#include <benchmark/benchmark.h>

#include <array>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "harness/arms/raw_step.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/ideal_backend.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/vocab/registry.hpp"

namespace ddpbench {
namespace {

std::map<std::string, std::string> defaults(const std::vector<OptionEntry>& options) {
  std::map<std::string, std::string> values;
  for (const auto& option : options) values[option.name] = option.default_value;
  if (values.count("data") > 0) values["data"] = "constant";
  return values;
}

c10::intrusive_ptr<c10d::ProcessGroup> ideal_group() {
  auto group = c10::make_intrusive<c10d::ProcessGroup>(c10::make_intrusive<c10d::HashStore>(), 0, 2);
  const auto type = c10d::ProcessGroup::BackendType::CUSTOM;
  group->setBackend(at::kCPU, type, c10::make_intrusive<IdealBackend>(0, 2));
  group->setDefaultBackend(type);
  return group;
}

// The raw step of the null model: `single` without Reducer, `ddp` with it and an ideal network.
void reducer(benchmark::State& state, const std::string& strategy_name) {
  at::set_num_threads(1);
  torch::manual_seed(1);
  const auto& workload = find_entry(workloads(), "workload", "null");
  auto recipe = workload.make({defaults(workload.options), 4, 0, 1, 1, ""});
  const auto& entry = find_entry(strategies(), "strategy", strategy_name);
  const auto strategy = entry.make({defaults(entry.options), ideal_group()});
  strategy->set_up(recipe);
  Precision precision;
  Probe probe;
  Session session{*strategy, precision, recipe.loss, *recipe.batches, probe};
  for (int i = 0; i < 20; ++i) raw_step(session);
  for (auto _ : state) raw_step(session);
}
BENCHMARK_CAPTURE(reducer, single, "single")->Name("reducer/without")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(reducer, ddp, "ddp")->Name("reducer/ideal_network")->Unit(benchmark::kMicrosecond);

// The two ranks are threads of this process; Google Benchmark runs this function several times on each.
c10::intrusive_ptr<c10d::Backend> gloo_between_threads(int rank) {
  static const auto store = c10::make_intrusive<c10d::HashStore>();
  static std::array<int, 2> meetings{};
  const auto name = std::to_string(++meetings.at(static_cast<std::size_t>(rank)));
  RankInfo info;
  info.rank = rank;
  info.world_size = 2;
  return make_gloo({c10::make_intrusive<c10d::PrefixStore>(name, store), info, std::chrono::milliseconds(60'000)});
}

// Bytes per second is algbw by nccl-tests' definition, and between two ranks busbw too: 2 (n - 1) / n = 1.
void all_reduce(benchmark::State& state) {
  const auto backend = gloo_between_threads(state.thread_index());
  std::vector<at::Tensor> tensors{torch::ones({state.range(0) / static_cast<std::int64_t>(sizeof(float))})};
  for (auto _ : state) backend->allreduce(tensors, c10d::AllreduceOptions{})->wait();
  if (state.thread_index() == 0) state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(all_reduce)->Name("all_reduce/gloo")->ArgName("bytes")->RangeMultiplier(16)->Range(1 << 10, 1 << 26)->Threads(2)->UseRealTime();

void broadcast(benchmark::State& state) {
  const auto backend = gloo_between_threads(state.thread_index());
  std::vector<at::Tensor> tensors{torch::ones({state.range(0) / static_cast<std::int64_t>(sizeof(float))})};
  for (auto _ : state) backend->broadcast(tensors, c10d::BroadcastOptions{})->wait();
  if (state.thread_index() == 0) state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(broadcast)->Name("broadcast/gloo")->ArgName("bytes")->RangeMultiplier(16)->Range(1 << 10, 1 << 26)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace ddpbench
