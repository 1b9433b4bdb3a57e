#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/timed_block.hpp"
#include "harness/measure/process/phase_memory.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/measure/process/tensor_memory.hpp"
#include "harness/probe/resident_memory.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {
namespace {

// Measures the peak memory of the launch's one arm, as a whole and by phase.
class MemoryPurpose final : public RankPurpose {
 public:
  explicit MemoryPurpose(RankLaunch& launch) : launch_(launch), training_(launch) {}

  void run(Outcome& outcome) override {
    count_tensor_memory();  // before the first tensor
    training_.begin(outcome);
    launch_.group().wait_at_most(launch_.hang_timeout());
    measure();
    training_.end();
  }

 private:
  // The first steps allocate nearly everything; caches grow a little longer.
  void measure() {
    launch_.progress.say("memory", 0, 0);
    auto& session = training_.session();
    const auto& named = training_.arms().front();
    PhaseMemory memory([accelerator = session.accelerator] {
      return accelerator == nullptr ? MemoryPeak{take_peak_of_host_tensors(), 0} : accelerator->take_peak();
    });
    tell_arm(named.name);
    memory.begin();
    session.timer.show_ranges_in(memory);
    for (std::int64_t i = 0; i < launch_.spec.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    memory.end();
    session.timer.show_ranges_in(nvtx_ranges());
    quiesce_arm(session, *named.arm);
    add_metrics(memory, named.name);
    launch_.writer.flush();
  }

  void add_metrics(const PhaseMemory& memory, const std::string& arm) {
    launch_.add_metric(kMetrics.arm_peak_memory, largest_resident_mib(), arm);
    launch_.add_metric(kMetrics.arm_peak_tensors, mib_of(memory.largest().allocated), arm);
    add_part("set_up", memory.set_up(), arm);
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      if (const auto& peak = memory.of(static_cast<Phase>(phase))) add_part(kPhaseNames[phase], *peak, arm);
    }
  }

  void add_part(const char* part, const MemoryPeak& peak, const std::string& arm) {
    const auto add = [&](const Metric& metric, std::int64_t bytes) {
      const auto name = named_metric(metric, part);
      launch_.add_metric({name, metric.unit, metric.help}, mib_of(bytes), arm);
    };
    add(kMetrics.arm_phase_tensors, peak.allocated);
    if (training_.session().accelerator != nullptr) add(kMetrics.arm_phase_reserved, peak.reserved);
  }

  RankLaunch& launch_;
  LaunchTraining training_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_memory_purpose(RankLaunch& launch) { return std::make_unique<MemoryPurpose>(launch); }

}  // namespace ddpbench
