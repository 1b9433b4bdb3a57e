#include "harness/worker_vocabulary.hpp"

#include <nlohmann/json.hpp>
#include <thread>

#include "harness/arms/arms.hpp"
#include "harness/build_id.hpp"
#include "harness/measure/metrics.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/probe/nvtx_ranges.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/strategies/strategies.hpp"
#include "harness/trainer/features.hpp"
#include "suite/vocab/surroundings.hpp"

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
  }
  for (const auto& entry : strategies()) {
    vocabulary.strategies.push_back(named(entry.name, entry.help));
    vocabulary.strategies.back().options = entry.options;
    vocabulary.strategies.back().max_world_size = entry.max_world_size;
  }
  for (const auto& entry : backends()) {
    vocabulary.backends.push_back(named(entry.name, entry.help));
    vocabulary.backends.back().built = entry.why_not_built.empty();
    vocabulary.backends.back().why_not_built = entry.why_not_built;
  }
  for (const auto& entry : precisions()) vocabulary.precisions.push_back(named(entry.name, entry.help));
  for (const auto& entry : arms()) {
    vocabulary.arms.push_back(named(entry.name, entry.help));
    vocabulary.arms.back().features = entry.features;
  }
  for (const auto& entry : features()) vocabulary.features.push_back(named(entry.name, entry.help));
  for (const auto& entry : metrics()) {
    vocabulary.metrics.push_back(named(entry.name, entry.help));
    vocabulary.metrics.back().unit = entry.unit;
  }
  return vocabulary;
}

nlohmann::ordered_json probe_machine() {
  nlohmann::ordered_json probe{{"worker_build_id", build_id()},
                               {"torch", TORCH_VERSION},
                               {"hostname", host_name()},
                               {"cores", std::thread::hardware_concurrency()},
                               {"nvtx", nvtx_built() ? "built" : "headers missing at build time"},
                               {"cpu_capability", at::get_cpu_capability()},
                               {"why_not", nlohmann::ordered_json::object()}};
  for (const auto& entry : backends()) {
    const auto why_not = entry.why_not_built.empty() ? entry.why_unavailable() : entry.why_not_built;
    probe["backends"][entry.name] = why_not.empty() ? "available" : why_not;
    if (!why_not.empty()) probe["why_not"]["backend"][entry.name] = why_not;
  }
  return probe;
}

}  // namespace ddpbench
