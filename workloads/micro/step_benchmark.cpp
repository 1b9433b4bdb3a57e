// Steps without their network: the loop itself on a strategy that does nothing, and the phases of the short models' steps.
#include <benchmark/benchmark.h>

#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"
#include "harness/trainer/trainer.hpp"
#include "workloads/micro/short_training.hpp"

namespace ddpbench {
namespace {

// Every verb returns at once, so that what remains of a step is the loop that drives it.
class NoStrategy final : public Strategy {
 public:
  void set_up(Recipe& /*recipe*/) override {}
  void zero_grad() override {}
  at::Tensor forward(const at::Tensor& input) override { return input; }
  void backward(const at::Tensor& /*loss*/) override {}
  void optimizer_step() override {}
  std::vector<at::Tensor> gradients() override { return {}; }
  std::vector<at::Tensor> state() override { return {}; }
  std::vector<at::Tensor> replicated_state() override { return {}; }
};

class OneBatch final : public BatchCursor {
 public:
  Batch next() override {
    ++position_;
    return batch_;
  }
  std::int64_t position() const override { return position_; }
  void seek(std::int64_t position) override { position_ = position; }
  std::int64_t batches_per_epoch() const override { return 1'000'000'000; }

 private:
  Batch batch_{torch::zeros({1, 3, 32, 32}), torch::zeros({1}, at::kLong)};
  std::int64_t position_ = 0;
};

struct NothingToTrain {
  NoStrategy strategy;
  Precision precision;
  Loss loss = [](const at::Tensor& output, const at::Tensor& /*target*/) { return output; };
  OneBatch batches;
  StepTimer timer;
  Session session{strategy, precision, loss, batches, timer};
};

void raw_loop(benchmark::State& state) {
  NothingToTrain nothing;
  for (auto _ : state) benchmark::DoNotOptimize(raw_step(nothing.session));
}
BENCHMARK(raw_loop)->Name("loop_alone/raw");

void trainer_loop(benchmark::State& state, TrainerFeatures features) {
  NothingToTrain nothing;
  Trainer trainer(nothing.session, features, 1'000'000);
  trainer.add_callback(std::make_unique<Callback>());
  for (auto _ : state) benchmark::DoNotOptimize(trainer.advance());
}
BENCHMARK_CAPTURE(trainer_loop, none, TrainerFeatures{})->Name("loop_alone/trainer-loops-fetch-loss");
BENCHMARK_CAPTURE(trainer_loop, loops, TrainerFeatures{.loops = true})->Name("loop_alone/trainer-fetch-loss");
BENCHMARK_CAPTURE(trainer_loop, fetch, TrainerFeatures{.loops = true, .fetch = true})->Name("loop_alone/trainer-loss");
BENCHMARK_CAPTURE(trainer_loop, all, TrainerFeatures{.loops = true, .fetch = true, .loss = true})->Name("loop_alone/trainer");

// The raw step of a workload in one process, each phase as a counter in microseconds.
void phases(benchmark::State& state, const std::string& workload) {
  ShortTraining training(workload, "single", nullptr);
  auto& session = training.session();
  for (int i = 0; i < 20; ++i) raw_step(session);
  constexpr std::size_t kSteps = 1 << 17;
  session.timer.open(kSteps);
  for (auto _ : state) {
    raw_step(session);
    session.timer.end_step();
  }
  for (const auto phase : {Phase::kData, Phase::kForward, Phase::kBackward, Phase::kOptimizer, Phase::kOther}) {
    double sum_us = 0;
    for (const auto& step : session.timer.close()) sum_us += static_cast<double>(step.phase_ns[index_of(phase)]) / 1e3;
    state.counters[std::string(kPhaseNames[index_of(phase)]) + "_us"] = sum_us / static_cast<double>(state.iterations());
  }
}
BENCHMARK_CAPTURE(phases, null, "null")->Name("step/null")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(phases, convnet, "convnet_cifar10")->Name("step/convnet_cifar10")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ddpbench
