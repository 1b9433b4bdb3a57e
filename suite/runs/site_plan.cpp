#include "suite/runs/site_plan.hpp"

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/sites/site_availability.hpp"

namespace ddpbench {
namespace {

// Empty: not known.
std::vector<std::string> architectures_in(const Probe& probe) {
  const auto place = Probe::json_pointer("/cuda/libraries/architectures");
  return probe.contains(place) ? probe.at(place).get<std::vector<std::string>>() : std::vector<std::string>();
}

// Of libraries, which a machine without a GPU loads only when it is asked.
std::vector<std::string> built_architectures(const Installation& installation, const Vocabulary& vocabulary) {
  if (const auto kept = kept_probe(installation, vocabulary.worker_build_id)) {
    auto known = architectures_in(*kept);
    if (!known.empty()) return known;
  }
  return architectures_in(probe_afresh(installation, vocabulary.worker_build_id, ProbeDepth::kWhole));
}

}  // namespace

Availability availability_at(const Site& site, const Installation& installation, const Vocabulary& vocabulary,
                             const std::vector<ArmFacts>& arms) {
  const auto& launcher = find_entry(launchers(), "launcher", site.launcher);
  const auto architectures = site.gpu_sm > 0 ? built_architectures(installation, vocabulary) : std::vector<std::string>();
  auto availability = site_availability(site, vocabulary, architectures);
  add_limits(launcher, availability);
  if (is_hosted_by_python(arms)) {
    Probe probe = Probe::object();
    add_python_arms(probe, installation, vocabulary.arms);
    add_reasons(probe.at("python_arms"), availability);
  }
  return availability;
}

}  // namespace ddpbench
