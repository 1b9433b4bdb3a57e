#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/block_runner.hpp"
#include "harness/probe/event_counter.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "harness/ranks/backends.hpp"
#include "suite/contract/processes/counted_event.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Times blocks of the launch's arms, which must do equal work.
class TimePurpose final : public RankPurpose {
 public:
  explicit TimePurpose(RankLaunch& launch) : launch_(launch), training_(launch) {}

  void run(Outcome& outcome) override {
    training_.begin(outcome);
    if (equal_work(outcome)) {
      warm_up_and_run(outcome);
      for (const auto* named : drivers_of_trainings(training_.arms())) {
        require_equal_replicas(training_of(training_.session(), *named->arm), launch_.group().control_channel());
      }
    }
    training_.end();
  }

 private:
  bool equal_work(Outcome& outcome) {
    const auto result = training_.check_work(outcome);
    for (const auto& work : result.works) add_check_rows(work);
    launch_.writer.flush();
    return result.wrong.empty();
  }

  void add_check_rows(const ArmWork& work) {
    for (std::size_t i = 0; i < work.losses.size(); ++i) {
      StepRow row;
      row.launch_id = launch_.spec.launch_id;
      row.arm = work.arm;
      row.step = static_cast<std::int64_t>(i) + 1;
      row.rank = launch_.info.rank;
      row.discarded = true;
      row.loss = static_cast<double>(work.losses[i]);
      launch_.writer.add(row);
    }
  }

  void warm_up_and_run(Outcome& outcome) {
    auto& group = launch_.group();
    group.log().take_delays(run_delays());
    BlockRunner runner({launch_.spec, launch_.info.rank, training_.session(), training_.arms(), group.log(),
                        group.control_channel(), launch_.writer},
                       instructions());
    outcome.facts[kCountedEventFact] = runner.counted();
    outcome.facts[kRunDelayFact] = group.log().delays().words();
    launch_.progress.say("warmup", 0, 0);
    runner.warm_up();
    launch_.add_metric(kMetrics.warmup, seconds(wall_ns() - training_.began_ns()));
    add_settings();
    group.wait_at_most(launch_.hang_timeout());
    runner.run();
  }

  // A thread that busy-waits executes instructions of no arm.
  EventCounter instructions() const {
    const auto& spec = launch_.spec;
    const auto& backend = find_entry(backends(), "backend", spec.backend);
    if (at::get_num_threads() > 1) return EventCounter("none: the threads of a rank wait for each other in a loop");
    if (backend.waits_in_loop != nullptr && backend.waits_in_loop(spec.options[OptionGroup::kBackend]))
      return EventCounter("none: backend " + spec.backend + " waits in a loop");
    return EventCounter::of_steps();
  }

  // A host that only enqueues for a device is not what a step waits for.
  RunDelays run_delays() {
    if (training_.session().accelerator != nullptr) return RunDelays("none: the step waits for a device");
    return RunDelays::of_steps();
  }

  // Records the settings that LibTorch has for every arm.
  void add_settings() {
    const auto& context = at::globalContext();
    const std::pair<Metric, bool> settings[] = {{kMetrics.deterministic, context.deterministicAlgorithms()},
                                                {kMetrics.cudnn_benchmark, context.benchmarkCuDNN()},
                                                {kMetrics.tf32_matmul, context.allowTF32CuBLAS()},
                                                {kMetrics.tf32_cudnn, context.allowTF32CuDNN()}};
    for (const auto& [metric, on] : settings) launch_.add_metric(metric, on ? 1 : 0);
  }

  RankLaunch& launch_;
  LaunchTraining training_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_time_purpose(RankLaunch& launch) { return std::make_unique<TimePurpose>(launch); }

}  // namespace ddpbench
