#include "harness/launch/rank_launch.hpp"

#include <utility>

#include "harness/api/kernel_choice.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "suite/base/node_layout.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Tells the driver where a rank stands that has made no step yet.
void begin(StartUp stage) { own_heartbeat().start_up.store(stage, std::memory_order_relaxed); }

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1e3));
}

// The memory node beside those of the rank's cores: where a GPU hangs at another one, its copies cross the machine.
void note_gpu(at::Device device, Outcome& outcome) {
  if (!device.is_cuda()) return;
  outcome.facts.merge(gpu_facts(read_cuda_driver(), cuda_module().libraries(), device.index()));
  const auto gpus = node_layout({}).gpu_memory;
  const auto index = static_cast<std::size_t>(device.index());
  if (index < gpus.size() && gpus[index] >= 0) outcome.facts["gpu_memory_node"] = std::to_string(gpus[index]);
}

}  // namespace

RankLaunch::RankLaunch(LaunchSpec given, const RankInfo& rank_info, RankRuntime& rank_runtime)
    : spec(std::move(given)),
      info(rank_info),
      runtime(rank_runtime),
      writer(spec.part_dir, info.rank),
      progress(info.rank, spec) {}

std::chrono::milliseconds RankLaunch::hang_timeout() const { return milliseconds_of(spec.protocol.hang_timeout_seconds); }

std::chrono::milliseconds RankLaunch::first_step_timeout() const {
  return milliseconds_of(spec.protocol.first_step_timeout_seconds);
}

void RankLaunch::rendezvous() {
  begin(StartUp::kRendezvous);
  // First: a NCCL communicator looks at it when it is made.
  KernelChoice{spec.protocol.deterministic, spec.protocol.cudnn_benchmark}.apply();
  group_ = RankGroup::rendezvous(info, spec.backend, hang_timeout(), spec.options[OptionGroup::kBackend]);
  begin(StartUp::kPreparing);
}

void RankLaunch::note_facts(Outcome& outcome) const {
  note_gpu(group_->device(), outcome);
  const auto& backend = find_entry(backends(), "backend", spec.backend);
  if (backend.facts != nullptr) outcome.facts.merge(backend.facts());
}

void RankLaunch::add_metric(const Metric& metric, double value, const std::string& arm) {
  writer.add(MetricRow{spec.launch_id, arm, info.rank, std::string(metric.name), value, std::string(metric.unit)});
}

}  // namespace ddpbench
