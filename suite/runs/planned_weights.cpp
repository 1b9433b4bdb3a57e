#include "suite/runs/planned_weights.hpp"

#include <set>
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/formats/weights_file.hpp"
#include "suite/runs/rank_check.hpp"

namespace ddpbench {
namespace {

constexpr const char* kOption = "weights";

// "" of a launch that is skipped, or has no such option.
std::string option_of(const PlannedLaunch& launch, const std::string& name) {
  const auto& options = launch.spec.options[OptionGroup::kWorkload];
  const auto found = options.find(name);
  return !launch.skip_reason.empty() || found == options.end() ? "" : found->second;
}

std::string weights_of(const PlannedLaunch& launch) { return option_of(launch, kOption); }

// A launch for each model and file: what is trained, and how it is made.
std::vector<const PlannedLaunch*> different_models(const Plan& plan) {
  std::set<std::pair<std::string, Options::Map>> seen;
  std::vector<const PlannedLaunch*> launches;
  for (const auto& launch : plan.launches) {
    if (weights_of(launch).empty()) continue;
    if (seen.emplace(launch.spec.workload, launch.spec.options[OptionGroup::kWorkload]).second) launches.push_back(&launch);
    if (launches.size() == kMostModels) break;
  }
  return launches;
}

}  // namespace

void check_weights_files(const Plan& plan) {
  std::set<std::string> looked_at;
  std::vector<std::string> mistakes;
  for (const auto& launch : plan.launches) {
    const auto path = weights_of(launch);
    if (path.empty() && option_of(launch, "weights_head") == "new" && looked_at.insert(path).second)
      mistakes.emplace_back("weights_head = \"new\" needs weights: name the file of the other layers");
    if (path.empty() || !looked_at.insert(path).second) continue;
    try {
      read_weights_index(path);
    } catch (const Error& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

void check_weights_fit(const Plan& plan, const Installation& installation) {
  const RankProgram worker{"ddpbench-worker", {installation.worker.string()}};
  std::vector<std::string> mistakes;
  for (const auto* launch : different_models(plan)) {
    auto mistake = mistake_told_by(worker, launch->spec, "weights " + weights_of(*launch));
    if (!mistake.empty()) mistakes.push_back(std::move(mistake));
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

}  // namespace ddpbench
