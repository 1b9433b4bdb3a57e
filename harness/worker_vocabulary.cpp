#include "harness/worker_vocabulary.hpp"

#include <nlohmann/json.hpp>
#include <thread>

#include "harness/arms/arms.hpp"
#include "harness/build_id.hpp"
#include "harness/measure/metrics.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/probe/nvtx_ranges.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "harness/strategies/strategies.hpp"
#include "harness/trainer/features.hpp"
#include "suite/base/surroundings.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

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
    vocabulary.backends.back().device = c10::DeviceTypeName(entry.device, /*lower_case=*/true);
  }
  for (const auto& entry : precisions()) {
    vocabulary.precisions.push_back(named(entry.name, entry.help));
    vocabulary.precisions.back().options = entry.options;
    if (!entry.on_cpu) vocabulary.precisions.back().only = {{"device", {"cuda"}}};
  }
  for (const auto& entry : arms()) {
    vocabulary.arms.push_back(named(entry.name, entry.help));
    vocabulary.arms.back().options = entry.options;
    vocabulary.arms.back().features = entry.features;
    vocabulary.arms.back().takes = entry.takes;
  }
  for (const auto& entry : features()) vocabulary.features.push_back(named(entry.name, entry.help));
  for (const auto& entry : arm_features()) {
    vocabulary.features.push_back(named(entry.name, entry.help));
    vocabulary.features.back().only = entry.only;
  }
  for (const auto& entry : metrics()) {
    vocabulary.metrics.push_back(named(entry.name, entry.help));
    vocabulary.metrics.back().unit = entry.unit;
  }
  return vocabulary;
}

namespace {

Json driver_facts(const CudaDriver& driver) {
  Json facts = Json::object();
  if (!driver.why_none.empty()) return Json{{"missing", driver.why_none}};
  facts["serves_cuda"] = cuda_version_text(driver.version);
  facts["devices"] = Json::array();
  for (const auto& device : driver.devices) facts["devices"].push_back(device.name + ", sm_" + std::to_string(device.sm));
  return facts;
}

Json library_facts(const CudaLibraries& libraries) {
  return Json{{"runtime", cuda_version_text(libraries.runtime)},
              {"nccl", libraries.nccl},
              {"nccl_path", libraries.nccl_path},
              {"architectures", libraries.architectures}};
}

// Without a GPU LibTorch's CUDA libraries are loaded only where `whole` asks for it.
Json cuda_facts(const CudaDriver& driver, bool whole) {
  Json facts{{"driver", driver_facts(driver)}};
  if (const auto why_not = why_no_cuda_module(); !why_not.empty()) {
    facts["libraries"] = why_not;
  } else if (whole || why_no_device(driver).empty()) {
    facts["libraries"] = library_facts(cuda_module().libraries());
  } else {
    facts["libraries"] = "not loaded";
  }
  return facts;
}

void add_reasons(const CudaDriver& driver, Json& probe) {
  for (const auto& entry : backends()) {
    const auto why_not = entry.why_not_built.empty() ? entry.why_unavailable() : entry.why_not_built;
    probe["backends"][entry.name] = why_not.empty() ? "available" : why_not;
    if (!why_not.empty()) probe["why_not"]["backend"][entry.name] = why_not;
  }
  for (const auto& entry : precisions()) {
    if (const auto why_not = why_too_old(driver, entry.least_sm); !why_not.empty())
      probe["why_not"][reason_kind("precision", "cuda")][entry.name] = why_not;
  }
}

}  // namespace

Json probe_machine(bool whole) {
  const auto driver = read_cuda_driver();
  Json probe{{"worker_build_id", build_id()},
             {"torch", TORCH_VERSION},
             {"hostname", host_name()},
             {"cores", std::thread::hardware_concurrency()},
             {"nvtx", nvtx_built() ? "built" : "headers missing at build time"},
             {"cpu_capability", at::get_cpu_capability()},
             {"cuda", cuda_facts(driver, whole)},
             {"why_not", Json::object()}};
  add_reasons(driver, probe);
  return probe;
}

}  // namespace ddpbench
