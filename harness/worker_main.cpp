#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "harness/api/workload.hpp"
#include "harness/launch/build_id.hpp"
#include "harness/launch/worker_vocabulary.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/probe/nvtx_ranges.hpp"
#include "harness/rank_process.hpp"
#include "harness/ranks/backends.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/launch/legal_launch.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kProgram = "ddpbench-worker";

constexpr const char* kHelp =
    "ddpbench-worker: one rank of one launch: trains, measures, writes rows. `ddpbench run` starts it; by hand:\n"
    "  ddpbench-worker --launch-id L --workload null --workload-option data=constant --strategy single --arms raw,trainer "
    "--part-dir DIR\n"
    "It reads its rank from the variables of torchrun, mpirun or srun; without them it is the only rank.\n"
    "  --list                      the tables of this build as JSON\n"
    "  --probe [whole]             what of it this machine can use, as JSON; whole: LibTorch's CUDA libraries too where there is "
    "no GPU\n"
    "  --check FLAGS               whether a launch of these flags could begin: values, and weights that fit the model; trains "
    "nothing\n";

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
    return entry.device_type() == at::kCUDA && entry.why_not_built.empty() && entry.why_unavailable().empty();
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

// What this machine and its libraries have of the vocabulary: what `--probe` prints; `--probe whole` adds what can only be told by loading
// LibTorch's CUDA libraries, which takes half a second and is done anyway where there is a GPU.
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

// The launch that these tokens describe could begin here, but for its ranks and its data. That costs what the model costs to make.
ExitCode check_launch(const std::vector<std::string>& tokens) {
  auto spec = legal_launch(launch_spec_from_tokens(tokens), worker_vocabulary());
  spec.options[OptionGroup::kWorkload]["data"] = "constant";
  find_entry(workloads(), "workload", spec.workload)
      .recipe({spec.options[OptionGroup::kWorkload], /*batch_size_per_rank=*/1, /*rank=*/0, spec.world_size(), spec.seed,
               spec.data, at::kCPU});
  return ExitCode::kDone;
}

ExitCode run(const std::vector<std::string>& tokens) {
  const std::string first = tokens.empty() ? "--help" : tokens.front();
  if (first == "--help") {
    std::cout << kHelp << launch_spec_help();
  } else if (first == "--list") {
    std::cout << to_json(worker_vocabulary()).dump(1) << "\n";
  } else if (first == "--probe") {
    const bool whole = tokens.size() > 1 && tokens[1] == "whole";
    std::cout << probe_machine(whole).dump(1) << "\n";
  } else if (first == "--check") {
    return check_launch({tokens.begin() + 1, tokens.end()});
  } else {
    WorkerRuntime runtime;
    return run_rank_process(kProgram, tokens, runtime);
  }
  return ExitCode::kDone;
}

ExitCode run_reporting_errors(const std::vector<std::string>& tokens) {
  try {
    return run(tokens);
  } catch (const std::exception& error) {
    return complain_of(kProgram, error);
  }
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  ddpbench::leave_process(ddpbench::run_reporting_errors({arguments + 1, arguments + count}));
}
