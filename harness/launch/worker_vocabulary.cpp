#include "harness/launch/worker_vocabulary.hpp"

#include "harness/arms/arms.hpp"
#include "harness/arms/step_features.hpp"
#include "harness/launch/build_id.hpp"
#include "harness/measure/collector_table.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/strategies/strategies.hpp"
#include "harness/trainer/features.hpp"

namespace ddpbench {
namespace {

VocabularyEntry named(const std::string& name, const std::string& help) {
  VocabularyEntry entry;
  entry.name = name;
  entry.help = help;
  return entry;
}

}  // namespace

Vocabulary worker_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.worker_build_id = build_id();
  vocabulary.torch_version = TORCH_VERSION;
  for (const auto& entry : workloads()) {
    vocabulary.workloads.push_back(named(entry.name, entry.help));
    vocabulary.workloads.back().options = entry.options;
    vocabulary.workloads.back().dataset = entry.dataset;
    vocabulary.workloads.back().excludes_cells = entry.excludes_cells;
  }
  for (const auto& entry : strategies()) {
    vocabulary.strategies.push_back(named(entry.name, entry.help));
    vocabulary.strategies.back().options = entry.options;
    vocabulary.strategies.back().max_world_size = entry.max_world_size;
  }
  for (const auto& entry : backends()) {
    vocabulary.backends.push_back(named(entry.name, entry.help));
    vocabulary.backends.back().options = entry.options;
    vocabulary.backends.back().built = entry.why_not_built.empty();
    vocabulary.backends.back().why_not_built = entry.why_not_built;
    vocabulary.backends.back().is_ring = entry.is_ring;
    vocabulary.backends.back().device = c10::DeviceTypeName(entry.device, /*lower_case=*/true);
  }
  for (const auto& entry : precisions()) {
    vocabulary.precisions.push_back(named(entry.name, entry.help));
    vocabulary.precisions.back().options = entry.options;
    vocabulary.precisions.back().least_sm = entry.least_sm;
    if (!entry.on_cpu) vocabulary.precisions.back().only = {{"device", {"cuda"}}};
  }
  for (const auto& entry : arms()) vocabulary.arms.push_back(entry);
  for (const auto& entry : python_arms()) vocabulary.arms.push_back(entry);
  for (const auto& entry : features()) vocabulary.features.push_back(entry);
  for (const auto& entry : arm_features()) vocabulary.features.push_back(entry);
  for (const auto& entry : python_features()) vocabulary.features.push_back(entry);
  for (const auto& entry : step_features()) vocabulary.features.push_back(entry);
  for (const auto& metric : worker_metrics()) {
    vocabulary.metrics.push_back(named(std::string(metric.name), std::string(metric.help)));
    vocabulary.metrics.back().unit = metric.unit;
  }
  return vocabulary;
}

}  // namespace ddpbench
