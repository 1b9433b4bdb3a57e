#pragma once
#include "tests/support/test_vocabulary.hpp"

// test_vocabulary() and a second family with a reference and controls of its own, whose wrapper has rungs with values and a bundle.
namespace ddpbench::test {

inline std::vector<ArmEntry> python_arms() {
  auto py_raw = entry<ArmEntry>("py_raw");
  py_raw.role = ArmRole::kReference;
  auto again = entry<ArmEntry>("py_raw_again");
  again.role = ArmRole::kAaControl;
  auto injected = entry<ArmEntry>("py_injected");
  injected.role = ArmRole::kPositiveControl;
  injected.clocks = {"wall", "thread_cpu", "awaited"};
  auto lightning = entry<ArmEntry>("py_lightning");
  lightning.is_wrapper = true;
  lightning.features = {"loops"};
  lightning.takes = {"typical", "fast_logger"};
  std::vector<ArmEntry> arms{py_raw, again, injected, lightning};
  for (auto& arm : arms) {
    arm.program = "python";
    if (arm.role != ArmRole::kReference) arm.reference = "py_raw";
  }
  return arms;
}

inline std::vector<FeatureEntry> rungs_with_values() {
  auto logger = entry<FeatureEntry>("logger");
  logger.value = OptionEntry{.name = "logger",
                             .type = OptionType::kInteger,
                             .default_value = "10",
                             .minimum = 1,
                             .maximum = 1'000,
                             .help = "log every n-th step"};
  auto clip = entry<FeatureEntry>("clip");
  clip.value = OptionEntry{.name = "clip",
                           .type = OptionType::kNumber,
                           .default_value = "1",
                           .minimum = 1e-6,
                           .maximum = 10,
                           .help = "largest norm of the gradients"};
  auto bar = entry<FeatureEntry>("bar");
  bar.requires_features = {"loops"};
  auto fast = entry<FeatureEntry>("fast_logger");
  fast.excludes_features = {"logger"};
  auto typical = entry<FeatureEntry>("typical");
  typical.bundle = {"logger=50", "bar", "clip"};
  return {logger, clip, bar, fast, typical};
}

// Another work to do: an arm with it is compared with its reference with it.
inline FeatureEntry micro_batches() {
  auto accumulate = entry<FeatureEntry>("accumulate");
  accumulate.value = OptionEntry{
      .name = "accumulate", .type = OptionType::kInteger, .default_value = "2", .minimum = 2, .maximum = 100, .help = "n"};
  accumulate.changes_work = true;
  return accumulate;
}

// The same of a value that can be written in several ways.
inline FeatureEntry weight_decay() {
  auto decay = entry<FeatureEntry>("decay");
  decay.value = OptionEntry{
      .name = "decay", .type = OptionType::kNumber, .default_value = "0.5", .minimum = 0, .maximum = 1, .help = "share"};
  decay.changes_work = true;
  return decay;
}

inline FeatureEntry own_modules() {
  auto module = entry<FeatureEntry>(kModuleFeature);
  module.value = OptionEntry{.name = kModuleFeature, .default_value = "", .help = "a name under [modules]"};
  module.changes_work = true;
  return module;
}

inline ArmEntry own_loop_arm() {
  auto loop = entry<ArmEntry>("py_loop");
  loop.program = "python";
  loop.reference = "py_raw";
  loop.takes = {kLoopFeature, "accumulate"};
  loop.requires_features = {kLoopFeature};
  return loop;
}

inline FeatureEntry own_loops() {
  auto loop = entry<FeatureEntry>(kLoopFeature);
  loop.value = OptionEntry{.name = kLoopFeature, .default_value = "", .help = "a name under [loops]"};
  return loop;
}

inline Vocabulary two_family_vocabulary() {
  auto vocabulary = test_vocabulary();
  for (auto& arm : python_arms()) vocabulary.arms.push_back(arm);
  for (auto& feature : rungs_with_values()) vocabulary.features.push_back(feature);
  vocabulary.features.push_back(own_modules());
  vocabulary.features.push_back(micro_batches());
  vocabulary.features.push_back(weight_decay());
  for (auto& arm : vocabulary.arms) {
    if (arm.program == "python") arm.takes.insert(arm.takes.end(), {"accumulate", "decay", kModuleFeature});
    if (arm.name == "trainer") arm.takes = {"log", "typical", "fast_logger"};
  }
  return vocabulary;
}

inline FeatureEntry own_loaders() {
  auto loader = entry<FeatureEntry>(kLoaderFeature);
  loader.value = OptionEntry{.name = kLoaderFeature, .default_value = "", .help = "a name under [loaders]"};
  loader.changes_work = true;
  return loader;
}

// two_family_vocabulary() with an arm that drives a loop of the user's own, and with loaders of his for all arms in Python.
inline Vocabulary vocabulary_with_own_code() {
  auto vocabulary = two_family_vocabulary();
  vocabulary.arms.push_back(own_loop_arm());
  vocabulary.features.push_back(own_loops());
  vocabulary.features.push_back(own_loaders());
  for (auto& arm : vocabulary.arms) {
    if (arm.program == "python") arm.takes.emplace_back(kLoaderFeature);
  }
  return vocabulary;
}

}  // namespace ddpbench::test
