#include "harness/arms/arms.hpp"

#include <array>

#include "suite/vocab/arm_name.hpp"
#include "suite/vocab/registry.hpp"

namespace ddpbench {

std::span<const ArmEntry> arms() {
  static const std::array table{
      ArmEntry{"raw", "the hand-written training loop: the reference", {}, {"graph"}, make_raw},
      ArmEntry{"raw_again", "the same code a second time (A/A control): shows the noise floor", {}, {}, make_raw},
      ArmEntry{"raw_item", "raw, reading the loss on the host at every step, as many examples do", {}, {}, make_raw_item},
      ArmEntry{"injected", "raw plus a known delay (positive control): shows that an effect is found", {}, {}, make_injected},
      ArmEntry{"trainer", "the Lightning-like trainer in C++", {"loops", "fetch", "loss"}, {}, make_trainer},
  };
  return table;
}

std::span<const ArmFeatureEntry> arm_features() {
  // A loss scaler reads its verdict on the host, and DDP's Reducer keeps the streams of its first step: neither is captured.
  static const std::array table{
      ArmFeatureEntry{"graph",
                      "the step captured once as a CUDA graph and replayed with one launch",
                      {{"device", {"cuda"}}, {"strategy", {"single"}}, {"precision", {"fp32", "tf32", "amp_bf16"}}}},
  };
  return table;
}

std::unique_ptr<Arm> make_arm(const Vocabulary& vocabulary, const std::string& name, Session& session, double injected_us) {
  const auto parsed = parse_arm_name(vocabulary, name);
  return find_entry(arms(), "arm", parsed.base).make({session, parsed.features, injected_us});
}

}  // namespace ddpbench
