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

// Adds the facts of a table's rows to a section of the vocabulary.
template <class Entry, class Table>
void add(std::vector<Entry>& section, const Table& table) {
  section.insert(section.end(), table.begin(), table.end());
}

}  // namespace

Vocabulary worker_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.worker_build_id = build_id();
  vocabulary.torch_version = TORCH_VERSION;
  add(vocabulary.workloads, workloads());
  add(vocabulary.strategies, strategies());
  add(vocabulary.backends, backends());
  add(vocabulary.precisions, precisions());
  add(vocabulary.arms, arms());
  add(vocabulary.arms, python_arms());
  add(vocabulary.features, features());
  add(vocabulary.features, arm_features());
  add(vocabulary.features, python_features());
  add(vocabulary.features, step_features());
  for (const auto& metric : worker_metrics()) {
    vocabulary.metrics.push_back({std::string(metric.name), std::string(metric.help), std::string(metric.unit)});
  }
  return vocabulary;
}

}  // namespace ddpbench
