#include "harness/machine_probe.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/build_id.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/probe/nvtx_ranges.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/contract/vocabulary.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

Json driver_facts(const CudaDriver& driver) {
  Json facts = Json::object();
  if (!driver.why_none.empty()) return Json{{"missing", driver.why_none}};
  facts["serves_cuda"] = cuda_version_text(driver.version);
  if (!driver.release.empty()) facts["release"] = driver.release;
  facts["devices"] = Json::array();
  for (const auto& device : driver.devices) facts["devices"].push_back(device.name + ", sm_" + std::to_string(device.sm));
  return facts;
}

Json library_facts(const CudaLibraries& libraries) {
  return Json{{"runtime", cuda_version_text(libraries.runtime)},
              {"cudnn", libraries.cudnn},
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

// That ranks of this build can use.
std::int64_t usable_gpus(const CudaDriver& driver) {
  const auto& entries = backends();
  const bool is_usable = std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
    return entry.device == at::kCUDA && entry.why_not_built.empty() && entry.why_unavailable().empty();
  });
  return is_usable ? static_cast<std::int64_t>(driver.devices.size()) : 0;
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
             {"gpus", usable_gpus(driver)},
             {"why_not", Json::object()}};
  add_reasons(driver, probe);
  return probe;
}

}  // namespace ddpbench
