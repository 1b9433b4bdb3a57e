#include "harness/arms/arms.hpp"

#include <algorithm>
#include <array>

#include "suite/contract/arm_name.hpp"
#include "suite/contract/registry.hpp"

namespace ddpbench {

std::span<const ArmEntry> arms() {
  static const std::array table{
      ArmEntry{
          "raw", "the hand-written training loop: the reference", {"timers", "nvtx"}, {"events", "ideal", "graph"}, make_raw},
      ArmEntry{"raw_again", "the same code a second time (A/A control): shows the noise floor", {}, {}, make_raw_again},
      ArmEntry{"raw_item", "raw, reading the loss on the host at every step, as many examples do", {}, {}, make_raw_item},
      ArmEntry{"injected",
               "raw plus a known delay (positive control): shows that an effect is found",
               {},
               {"on_device"},
               make_injected},
      ArmEntry{"injected_periodic",
               "raw with the delay behind every 50th step only (positive control of periodic work)",
               {},
               {},
               make_injected_periodic},
      ArmEntry{"trainer", "the Lightning-like trainer in C++", {"loops", "fetch", "loss"}, {}, make_trainer},
  };
  return table;
}

std::span<const ArmFeatureEntry> arm_features() {
  // A loss scaler reads its verdict on the host, and DDP's Reducer keeps the streams of its first step: neither is captured.
  static const std::array table{
      ArmFeatureEntry{"timers", "clocks at every step's end and at every change of phase", {}, &BlockConditions::timers},
      ArmFeatureEntry{"nvtx", "NVTX ranges around the phases", {}, &BlockConditions::ranges},
      ArmFeatureEntry{
          "events", "the device's clock at every change of phase too", {{"device", {"cuda"}}}, &BlockConditions::device_events},
      ArmFeatureEntry{"ideal",
                      "the ideal network: collectives take no time; the state is put back after each block",
                      {{"strategy", {"ddp"}}},
                      &BlockConditions::ideal_network},
      ArmFeatureEntry{"on_device", "the known delay is the device's instead of the host's", {{"device", {"cuda"}}}},
      ArmFeatureEntry{"graph",
                      "the step captured once as a CUDA graph and replayed with one launch",
                      {{"device", {"cuda"}}, {"strategy", {"single"}}, {"precision", {"fp32", "tf32", "amp_bf16"}}}},
  };
  return table;
}

BlockConditions block_conditions(const std::vector<std::string>& features) {
  BlockConditions conditions{false, false, false, false};
  for (const auto& entry : arm_features()) {
    const bool on = std::find(features.begin(), features.end(), entry.name) != features.end();
    if (entry.condition != nullptr) conditions.*entry.condition = on;
  }
  return conditions;
}

std::unique_ptr<Arm> make_arm(const Vocabulary& vocabulary, const std::string& name, Session& session, double injected_us,
                              const std::map<std::string, std::string>& options) {
  const auto parsed = parse_arm_name(vocabulary, name);
  return find_entry(arms(), "arm", parsed.base).make({session, parsed.features, injected_us, options});
}

}  // namespace ddpbench
