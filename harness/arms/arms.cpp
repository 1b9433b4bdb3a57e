#include "harness/arms/arms.hpp"

#include <algorithm>
#include <array>

#include "harness/arms/step_features.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

namespace {

auto make_arms() {
  const std::string raw = "raw";
  std::array table{
      ArmFactory{{.name = raw,
                  .help = "the hand-written training loop: the reference",
                  .features = {"timers", "nvtx", "awaited"},
                  .takes = {"events", "ideal", "graph", "clip", "accumulate"},
                  .role = ArmRole::kReference},
                 make_raw},
      ArmFactory{{.name = "raw_again",
                  .help = "the same code a second time (A/A control): shows the noise floor",
                  .takes = {"clip", "accumulate"},
                  .role = ArmRole::kAaControl,
                  .reference = raw},
                 make_raw_again},
      ArmFactory{{.name = "raw_item",
                  .help = "raw, reading the loss on the host at every step, as many examples do",
                  .takes = {"clip", "accumulate"},
                  .reference = raw},
                 make_raw_item},
      ArmFactory{{.name = "injected",
                  .help = "raw plus a known delay (positive control): shows that an effect is found",
                  .takes = {"wait", "on_device", "rank0", "every", "scatter", "leftover", "clip", "accumulate"},
                  .role = ArmRole::kPositiveControl,
                  .reference = raw,
                  .clocks = {clock_name::kWall, clock_name::kThreadCpu, clock_name::kAwaited, clock_name::kProcessCpu}},
                 make_injected},
      ArmFactory{{.name = "injected_periodic",
                  .help = "raw with the delay behind every 50th step only (positive control of periodic work)",
                  .role = ArmRole::kPositiveControl,
                  .reference = raw},
                 make_injected_periodic},
      ArmFactory{{.name = "trainer",
                  .help = "the Lightning-like trainer in C++",
                  .features = {"loops", "fetch", "loss"},
                  .takes = {"clip", "accumulate"},
                  .reference = raw,
                  .is_wrapper = true},
                 make_trainer},
  };
  for (auto& factory : table) factory.excludes_cells = {{{{kCompiledOption, "true"}}, "torch.compile is for arms in Python"}};
  return table;
}

}  // namespace

std::span<const ArmFactory> arms() {
  static const auto table = make_arms();
  return table;
}

std::span<const ArmFeature> arm_features() {
  // A loss scaler reads its verdict on the host, and DDP's Reducer keeps the streams of its first step: neither is captured.
  static const std::array table{
      ArmFeature{
          {.name = "timers", .help = "clocks at every step's end and at every change of phase", .without_makes = ArmRole::kProbe},
          &BlockConditions::timers},
      ArmFeature{{.name = "nvtx", .help = "NVTX ranges around the phases", .without_makes = ArmRole::kProbe},
                 &BlockConditions::ranges},
      ArmFeature{{.name = "awaited",
                  .help = "what the clock `awaited` is made of: run delays at every step's end and in collectives",
                  .without_makes = ArmRole::kProbe},
                 &BlockConditions::awaited},
      ArmFeature{{.name = "events", .help = "the device's clock at every change of phase too", .only = {{"device", {"cuda"}}}},
                 &BlockConditions::device_events},
      ArmFeature{{.name = "ideal",
                  .help = "the ideal network: collectives take no time; the state is put back after each block",
                  .only = {{"strategy", {"ddp"}}},
                  .makes = ArmRole::kProbe,
                  .is_ideal_network = true},
                 &BlockConditions::ideal_network},
      ArmFeature{{.name = "on_device",
                  .help = "the known delay is the device's and the host's at once: found whichever of them the step waits for",
                  .only = {{"device", {"cuda"}}},
                  .clocks = {clock_name::kDevice},
                  .excludes_features = {"wait", "rank0", "every", "scatter", "leftover"}}},
      ArmFeature{{.name = "wait",
                  .help = "the known delay is slept, not spun: found by clocks that see waiting",
                  .clocks = {clock_name::kAwaited},
                  .excludes_features = {"on_device", "leftover"}}},
      ArmFeature{{.name = "rank0", .help = "the known delay falls on rank 0 only", .makes = ArmRole::kProbe}},
      ArmFeature{
          {.name = "every",
           .help = "the known delay falls on every n-th step only, inside blocks",
           .value =
               OptionEntry{.name = "every", .type = OptionType::kInteger, .default_value = "10", .minimum = 1, .maximum = 1e6},
           .makes = ArmRole::kProbe}},
      ArmFeature{{.name = "scatter",
                  .help = "the known delay is drawn anew for each step, from nothing to twice as much: the mean is the same",
                  .makes = ArmRole::kProbe}},
      ArmFeature{{.name = "leftover",
                  .help = "no delay, but a thread that goes on computing beside the block behind, for ten delays",
                  .excludes_features = {"wait", "rank0", "every", "scatter", "on_device"},
                  .makes = ArmRole::kProbe}},
      ArmFeature{{.name = "graph",
                  .help = "the step captured once as a CUDA graph and replayed with one launch",
                  .only = {{"device", {"cuda"}}, {"strategy", {"single"}}, {"precision", {"fp32", "tf32", "amp_bf16"}}},
                  .excludes_cells = {{{{"workload", "transformer_lm"}},
                                      "AdamW counts its steps on the host, which a captured step does not do again"}}}},
  };
  return table;
}

BlockConditions block_conditions(const std::vector<std::string>& features) {
  BlockConditions conditions{false, false, false, false, false};
  for (const auto& entry : arm_features()) {
    const bool on = std::find(features.begin(), features.end(), entry.name) != features.end();
    if (entry.condition != nullptr) conditions.*entry.condition = on;
  }
  return conditions;
}

std::unique_ptr<Arm> make_arm(const Vocabulary& vocabulary, const std::string& name, Session& session, double injected_us,
                              const std::map<std::string, std::string>& options) {
  const auto facts = legal_arm(vocabulary, name);
  const auto values = facts.feature_values();
  auto features = facts.feature_names();
  for (const auto& feature : step_features()) std::erase(features, feature.name);
  return make_under_options(session, values, [&] {
    return find_entry(arms(), "arm", facts.base).make({session, features, injected_us, values, options});
  });
}

}  // namespace ddpbench
