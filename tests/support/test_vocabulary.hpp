#pragma once
#include "suite/contract/vocabulary/vocabulary.hpp"

// A small vocabulary with every kind of option and every reason for a skip; what the real worker's tables hold is theirs to test.
namespace ddpbench::test {

inline OptionEntry text_option(std::string name, std::string default_value, std::vector<std::string> legal) {
  return {.name = std::move(name), .default_value = std::move(default_value), .legal = std::move(legal), .help = "a choice"};
}

inline VocabularyEntry entry(std::string name, std::vector<OptionEntry> options = {}) {
  return {.name = std::move(name), .help = "for tests", .options = std::move(options)};
}

inline VocabularyEntry not_built(std::string name, std::string why) {
  auto made = entry(std::move(name));
  made.built = false;
  made.why_not_built = std::move(why);
  return made;
}

inline OptionEntry share_option(std::string name, std::string default_value) {
  return {.name = std::move(name),
          .type = OptionType::kNumber,
          .default_value = std::move(default_value),
          .legal = {},
          .maximum = 1,
          .help = "from 0 to 1"};
}

inline std::vector<VocabularyEntry> test_workloads() {
  const auto data = text_option("data", "cifar", {"cifar", "constant"});
  const auto stem = text_option("stem", "cifar", {"imagenet", "cifar"});
  return {entry("null"), entry("convnet_cifar10", {data}), entry("resnet18_cifar10", {stem, data}),
          entry("resnet50_cifar10", {stem, data}),
          entry("mlp_cifar10", {share_option("weight_decay", "0"), share_option("learning_rate", "default")})};
}

inline std::vector<VocabularyEntry> test_strategies() {
  auto single = entry("single");
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
  return {single, entry("ddp", {bucket_cap_mb, view})};
}

inline Vocabulary test_vocabulary() {
  Vocabulary vocabulary{.worker_build_id = "test",
                        .torch_version = "0",
                        .workloads = test_workloads(),
                        .strategies = test_strategies(),
                        .backends = {},
                        .precisions = {entry("fp32")},
                        .arms = {},
                        .features = {},
                        .metrics = {}};
  vocabulary.backends = {entry("gloo"), not_built("nccl", "no CUDA at build time"), not_built("mpi", "no MPI at build time")};
  for (auto& backend : vocabulary.backends) backend.device = backend.name == "nccl" ? "cuda" : "cpu";
  auto trainer = entry("trainer");
  trainer.features = {"loops", "fetch", "loss"};
  trainer.takes = {"log"};
  trainer.is_wrapper = true;
  auto raw = entry("raw");
  raw.features = {"timers", "nvtx"};
  raw.takes = {"ideal"};
  raw.role = ArmRole::kReference;
  auto again = entry("raw_again");
  again.role = ArmRole::kAaControl;
  auto injected = entry("injected");
  injected.role = ArmRole::kPositiveControl;
  injected.clocks = {"wall", "thread_cpu", "process_cpu"};
  injected.takes = {"wait"};
  vocabulary.arms = {raw, again, entry("raw_item"), injected, trainer};
  for (auto& arm : vocabulary.arms) {
    if (arm.role != ArmRole::kReference) arm.reference = "raw";
  }
  vocabulary.features = {entry("loops"), entry("fetch"), entry("loss"), entry("timers"),
                         entry("nvtx"),  entry("ideal"), entry("wait"), not_built("log", "comes later")};
  for (auto& feature : vocabulary.features) {
    if (feature.name == "timers" || feature.name == "nvtx") feature.without_makes = ArmRole::kProbe;
    if (feature.name == "ideal") feature.makes = ArmRole::kProbe;
  }
  auto step = entry("step_s");
  step.unit = "s";
  vocabulary.metrics = {step};
  return vocabulary;
}

}  // namespace ddpbench::test
