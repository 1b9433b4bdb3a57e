#include "suite/sites/site_availability.hpp"

#include <algorithm>

#include "suite/contract/vocabulary/gpu_architecture.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

std::string gpu_phrase(const Site& site) {
  const auto name = site.gpu.empty() ? "this site's GPU" : site.gpu;
  return name + " is sm_" + std::to_string(site.gpu_sm);
}

std::string why_no_gpu(const Site& site, const std::string& torch, const std::vector<std::string>& architectures) {
  if (site.node_gpus == 0) return "site '" + site.name + "' has no GPUs";
  if (site.gpu_sm == 0 || architectures.empty() || has_kernels_for(architectures, static_cast<int>(site.gpu_sm))) return "";
  return gpu_phrase(site) + ", for which LibTorch " + torch +
         " has no kernels; another release may have them (./bootstrap.sh build --torch-version 2.7.1)";
}

}  // namespace

Availability site_availability(const Site& site, const Vocabulary& vocabulary, const std::vector<std::string>& architectures) {
  Availability availability;
  availability.launcher = site.launcher;
  availability.site = site.name;
  availability.max_nodes = site.most_nodes;
  availability.gpus = site.node_gpus;
  availability.probed = true;
  const auto why_not = why_no_gpu(site, vocabulary.torch_version, architectures);
  for (const auto& backend : vocabulary.backends) {
    if (backend.device == "cuda" && !why_not.empty()) availability.why_not["backend"][backend.name] = why_not;
  }
  for (const auto& precision : vocabulary.precisions) {
    if (site.gpu_sm == 0 || site.gpu_sm >= precision.least_sm) continue;
    availability.why_not[reason_kind("precision", "cuda")][precision.name] =
        "needs sm_" + std::to_string(precision.least_sm) + ", " + gpu_phrase(site);
  }
  return availability;
}

void suppose_built_for(const Site& site, Vocabulary& vocabulary, Availability& availability) {
  if (site.node_gpus == 0) return;
  for (auto& backend : vocabulary.backends) {
    if (backend.device != "cuda") continue;
    backend.why_not_built.clear();
    availability.why_not["backend"].erase(backend.name);
  }
}

std::string why_gpus_idle(const Site& site, const Plan& plan, const Vocabulary& vocabulary) {
  bool any_runs = false;
  std::string why_not;  // of the first that would use them and is skipped
  for (const auto& launch : plan.launches) {
    const bool is_for_gpus = find_entry(vocabulary.backends, "backend", launch.spec.backend).device == "cuda";
    if (launch.skip_reason.empty() && is_for_gpus) return "";
    any_runs = any_runs || launch.skip_reason.empty();
    if (is_for_gpus && why_not.empty()) why_not = " (those that would are skipped: " + launch.skip_reason + ")";
  }
  if (site.node_gpus == 0 || !any_runs) return "";
  const auto gpus = std::to_string(site.node_gpus);
  return "no launch of it trains on a GPU" + why_not + ", and each node of site '" + site.name + "' has " + gpus +
         ", which the job would ask for and leave idle: --set backend=nccl --set ranks_per_node=" + gpus + " measures on them";
}

}  // namespace ddpbench
