#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/timed_block.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/measure/process/tensor_memory.hpp"
#include "harness/probe/resident_memory.hpp"
#include "harness/purposes/rank_purposes.hpp"

namespace ddpbench {
namespace {

// Measures the peak memory of the launch's one arm.
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
    const auto& named = training_.arms().front();
    for (std::int64_t i = 0; i < launch_.spec.protocol.warmup_steps; ++i) {
      named.arm->step();
      stop_if_requested();
    }
    auto& session = training_.session();
    quiesce_arm(session, *named.arm);
    const auto* accelerator = session.accelerator;
    const auto tensors = accelerator == nullptr ? peak_host_tensor_bytes() : accelerator->peak_tensor_bytes();
    launch_.add_metric(kMetrics.arm_peak_memory, largest_resident_mib(), named.name);
    launch_.add_metric(kMetrics.arm_peak_tensors, static_cast<double>(tensors) / kBytesPerMib, named.name);
    launch_.writer.flush();
  }

  RankLaunch& launch_;
  LaunchTraining training_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_memory_purpose(RankLaunch& launch) { return std::make_unique<MemoryPurpose>(launch); }

}  // namespace ddpbench
