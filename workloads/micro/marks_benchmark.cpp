// What the marks of a measured step cost by themselves: clocks, phase scopes, step boundaries, NVTX ranges without a tool attached.
#include <benchmark/benchmark.h>

#include "harness/probe/step_timer.hpp"

namespace ddpbench {
namespace {

template <std::int64_t (*Read)()>
void clock_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Read());
}
BENCHMARK(clock_read<wall_ns>)->Name("clock/wall");
BENCHMARK(clock_read<thread_cpu_ns>)->Name("clock/thread_cpu");
BENCHMARK(clock_read<process_cpu_ns>)->Name("clock/process_cpu");

void phase_scope(benchmark::State& state) {
  StepTimer timer;
  const bool recording = state.range(0) != 0;
  if (recording) timer.open(1);
  for (auto _ : state) {
    const PhaseScope scope(timer, Phase::kForward);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(phase_scope)->Name("phase_scope")->ArgName("recording")->Arg(0)->Arg(1);

void nvtx_range(benchmark::State& state) {
  for (auto _ : state) {
    nvtx_ranges().push(range_of(Phase::kForward));
    nvtx_ranges().pop();
  }
}
BENCHMARK(nvtx_range)->Name("nvtx_range");

// All marks of one raw step: seven scopes and the boundary.
void marks_of_a_step(benchmark::State& state) {
  constexpr std::size_t kSteps = 1024;
  constexpr int kScopes = 7;
  StepTimer timer;
  std::size_t step = kSteps;
  for (auto _ : state) {
    if (step == kSteps) {
      timer.open(kSteps);
      step = 0;
    }
    for (int i = 0; i < kScopes; ++i) const PhaseScope scope(timer, Phase::kForward);
    timer.end_step();
    ++step;
  }
}
BENCHMARK(marks_of_a_step)->Name("marks_of_a_step");

}  // namespace
}  // namespace ddpbench
