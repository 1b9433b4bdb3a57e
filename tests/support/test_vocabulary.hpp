#pragma once
#include "suite/contract/vocabulary/vocabulary.hpp"

// A small vocabulary with every kind of option and every reason for a skip; what the real worker's tables hold is theirs to test.
namespace ddpbench::test {

inline OptionEntry text_option(std::string name, std::string default_value, std::vector<std::string> legal) {
  return {.name = std::move(name), .default_value = std::move(default_value), .legal = std::move(legal), .help = "a choice"};
}

template <class Entry>
Entry entry(const std::string& name) {
  return {.name = name, .help = "for tests"};
}

template <class Entry>
Entry entry(const std::string& name, const std::vector<OptionEntry>& options) {
  return {.name = name, .help = "for tests", .options = options};
}

inline BackendEntry backend(std::string name, std::string device, std::string why_not_built = "") {
  return {.name = std::move(name), .help = "for tests", .why_not_built = std::move(why_not_built), .device = std::move(device)};
}

inline OptionEntry share_option(std::string name, std::string default_value) {
  return {.name = std::move(name),
          .type = OptionType::kNumber,
          .default_value = std::move(default_value),
          .legal = {},
          .maximum = 1,
          .help = "from 0 to 1"};
}

inline std::vector<WorkloadEntry> test_workloads() {
  const auto data = text_option("data", "cifar", {"cifar", "constant"});
  const auto stem = text_option("stem", "cifar", {"imagenet", "cifar"});
  return {entry<WorkloadEntry>("null"), entry<WorkloadEntry>("convnet_cifar10", {data}),
          entry<WorkloadEntry>("resnet18_cifar10", {stem, data}), entry<WorkloadEntry>("resnet50_cifar10", {stem, data}),
          entry<WorkloadEntry>("mlp_cifar10", {share_option("weight_decay", "0"), share_option("learning_rate", "default")})};
}

inline std::vector<StrategyEntry> test_strategies() {
  auto single = entry<StrategyEntry>("single");
  single.max_world_size = 1;
  const OptionEntry bucket_cap_mb{.name = "bucket_cap_mb",
                                  .type = OptionType::kNumber,
                                  .default_value = "25",
                                  .legal = {},
                                  .minimum = 0.1,
                                  .maximum = 1'000,
                                  .help = "gradients per bucket, MiB"};
  const OptionEntry view{.name = "gradient_as_bucket_view",
                         .type = OptionType::kSwitch,
                         .default_value = "false",
                         .legal = {},
                         .help = "gradients live in the buckets"};
  return {single, entry<StrategyEntry>("ddp", {bucket_cap_mb, view})};
}

inline Vocabulary test_vocabulary() {
  Vocabulary vocabulary{.worker_build_id = "test",
                        .torch_version = "0",
                        .workloads = test_workloads(),
                        .strategies = test_strategies(),
                        .backends = {},
                        .precisions = {entry<PrecisionEntry>("fp32")},
                        .arms = {},
                        .features = {},
                        .metrics = {}};
  vocabulary.backends = {backend("gloo", "cpu"), backend("nccl", "cuda", "no CUDA at build time"),
                         backend("mpi", "cpu", "no MPI at build time")};
  auto trainer = entry<ArmEntry>("trainer");
  trainer.features = {"loops", "fetch", "loss"};
  trainer.takes = {"log"};
  trainer.is_wrapper = true;
  auto raw = entry<ArmEntry>("raw");
  raw.features = {"timers", "nvtx"};
  raw.takes = {"ideal"};
  raw.role = ArmRole::kReference;
  auto again = entry<ArmEntry>("raw_again");
  again.role = ArmRole::kAaControl;
  auto injected = entry<ArmEntry>("injected");
  injected.role = ArmRole::kPositiveControl;
  injected.clocks = {"wall", "thread_cpu", "process_cpu"};
  injected.takes = {"wait"};
  vocabulary.arms = {raw, again, entry<ArmEntry>("raw_item"), injected, trainer};
  for (auto& arm : vocabulary.arms) {
    if (arm.role != ArmRole::kReference) arm.reference = "raw";
  }
  for (const char* name : {"loops", "fetch", "loss", "timers", "nvtx", "ideal", "wait"}) {
    vocabulary.features.push_back(entry<FeatureEntry>(name));
  }
  auto log = entry<FeatureEntry>("log");
  log.only = {{"device", {"tpu"}}};  // nowhere
  vocabulary.features.push_back(log);
  for (auto& feature : vocabulary.features) {
    if (feature.name == "timers" || feature.name == "nvtx") feature.without_makes = ArmRole::kProbe;
    if (feature.name == "ideal") feature.makes = ArmRole::kProbe;
  }
  vocabulary.metrics = {{.name = "step_s", .help = "for tests", .unit = "s"}};
  return vocabulary;
}

}  // namespace ddpbench::test
