#include "suite/runs/planned_own_code.hpp"

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/rank_check.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMostSamples = 8;  // of a batch in a check: a large model on a CPU takes seconds a step

// What is looked at: the launch that says how, and where the code is.
struct OwnCodeCheck {
  std::string section, name, where;
  std::string what;  // that is done
  LaunchSpec spec;
};

// The launch with that module as its only one.
OwnCodeCheck module_check(LaunchSpec spec, const std::string& name) {
  const auto where = spec.own_code.at(kModuleFeature).at(name);
  spec.own_code = {{kModuleFeature, {{name, where}}}};
  return {"modules", name, where, "module " + name + ": its data, optimizer and one step", std::move(spec)};
}

// A launch of one rank, of the arm and its reference, on batches that need no data set. On a CPU ranks meet by gloo: no mpirun
// starts it.
OwnCodeCheck loop_check(LaunchSpec spec, const ArmFacts& arm, bool on_gpus) {
  const auto name = arm.feature_values().at(kLoopFeature);
  const auto where = spec.own_code.at(kLoopFeature).at(name);
  spec.purpose = purpose::kCheck;
  spec.arms = {arm.reference, arm.name};
  spec.nodes = spec.ranks_per_node = 1;
  spec.batch_size_per_rank = std::min(spec.batch_size_per_rank, kMostSamples);
  spec.own_code = {{kLoopFeature, {{name, where}}}};
  if (!on_gpus) spec.backend = "gloo";
  for (const auto group : {OptionGroup::kBackend, OptionGroup::kTrainer, OptionGroup::kLauncher}) spec.options[group] = {};
  auto& options = spec.options[OptionGroup::kWorkload];
  if (options.count("data") > 0) options["data"] = "constant";
  return {"loops", name, where, "loop " + name + ": the same steps as " + arm.reference, std::move(spec)};
}

// What tells two checks of a loop apart: what its steps are to do, and on what.
std::vector<std::string> work_of(const OwnCodeCheck& check, const ArmFacts& arm) {
  std::vector<std::string> work{check.where, arm.work, check.spec.workload, check.spec.strategy, check.spec.precision};
  for (const auto group : {OptionGroup::kWorkload, OptionGroup::kStrategy, OptionGroup::kPrecision}) {
    for (const auto& [name, value] : check.spec.options[group]) work.push_back(name + "=" + value);
  }
  return work;
}

std::vector<OwnCodeCheck> different_checks(const Plan& plan) {
  std::set<std::vector<std::string>> seen;
  std::vector<OwnCodeCheck> checks;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    const auto& spec = launch.spec;
    for (const auto& arm : find_arms(plan.arms, spec.arms)) {
      if (!arm.module.empty() && seen.insert({arm.module, lightning_release_of(spec)}).second)
        checks.push_back(module_check(spec, arm.module));
      if (!holds(arm.feature_names(), kLoopFeature)) continue;
      auto check = loop_check(spec, arm, launch.on_gpus);
      if (seen.insert(work_of(check, arm)).second) checks.push_back(std::move(check));
    }
  }
  return checks;
}

}  // namespace

void check_own_code(const Plan& plan, const Installation& installation) {
  const auto host = [&] {
    return RankProgram{"ddpbench_arms", program_of(plan.arms, installation).tokens, "ddpbench_arms: checked"};
  };
  std::set<std::string> mistakes;
  for (const auto& check : different_checks(plan)) {
    std::cerr << "checking " << check.what << " (at most " << static_cast<int>(kRankCheckSeconds) << " s)" << std::endl;
    const auto mistake = mistake_told_by(host(), check.spec, check.where);
    if (!mistake.empty()) mistakes.insert("[" + check.section + "] " + check.name + ": " + mistake);
  }
  if (!mistakes.empty()) throw UsageError(std::vector(mistakes.begin(), mistakes.end()));
}

}  // namespace ddpbench
