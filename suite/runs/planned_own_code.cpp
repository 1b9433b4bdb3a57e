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

// What the arm takes of the launch's own code.
OwnCode taken_by(const ArmFacts& arm, const OwnCode& own_code) {
  OwnCode taken;
  const auto values = arm.feature_values();
  for (const auto& [feature, located] : own_code) {
    if (const auto name = values.find(feature); name != values.end()) taken[feature] = {*located.find(name->second)};
  }
  return taken;
}

// The launch with that arm's module as its only one.
OwnCodeCheck module_check(LaunchSpec spec, const ArmFacts& arm) {
  spec.own_code = taken_by(arm, spec.own_code);
  const auto where = spec.own_code.at(kModuleFeature).at(arm.module);
  return {"modules", arm.module, where, "module " + arm.module + ": its data, optimizer and one step", std::move(spec)};
}

// The launch with that arm's callback as its only code: it is made.
OwnCodeCheck callback_check(LaunchSpec spec, const ArmFacts& arm) {
  const auto name = arm.feature_values().at(kCallbackFeature);
  spec.own_code = {{kCallbackFeature, taken_by(arm, spec.own_code).at(kCallbackFeature)}};
  const auto where = spec.own_code.at(kCallbackFeature).at(name);
  return {"callbacks", name, where, "callback " + name + ": that it can be made", std::move(spec)};
}

// A launch of one rank, of the arm alone, on batches that need no data set. On a CPU ranks meet by gloo: no mpirun
// starts it.
OwnCodeCheck steps_check(const std::string& feature, LaunchSpec spec, const ArmFacts& arm, bool on_gpus) {
  const auto& kind =
      *std::find_if(kOwnCodeKinds.begin(), kOwnCodeKinds.end(), [&](const auto& k) { return k.feature == feature; });
  spec.own_code = taken_by(arm, spec.own_code);
  const auto name = arm.feature_values().at(kind.feature);
  const auto where = spec.own_code.at(kind.feature).at(name);
  spec.purpose = purpose::kCheck;
  spec.arms = {arm.name};
  spec.nodes = spec.ranks_per_node = 1;
  spec.batch_size_per_rank = std::min(spec.batch_size_per_rank, kMostSamples);
  if (!on_gpus) spec.backend = "gloo";
  for (const auto group : {OptionGroup::kBackend, OptionGroup::kTrainer, OptionGroup::kLauncher}) spec.options[group] = {};
  auto& options = spec.options[OptionGroup::kWorkload];
  if (options.count("data") > 0) options["data"] = "constant";
  return {kind.section, name, where, std::string(kind.feature) + " " + name + ": its batches and some steps", std::move(spec)};
}

// The same of the arm beside its reference.
OwnCodeCheck equality_check(const std::string& feature, const LaunchSpec& spec, const ArmFacts& arm, bool on_gpus) {
  auto check = steps_check(feature, spec, arm, on_gpus);
  check.what = feature + " " + check.name + ": the same steps as " + arm.reference;
  check.spec.arms.insert(check.spec.arms.begin(), arm.reference);
  return check;
}

// What tells two checks of steps apart: what they are to do, and on what.
std::vector<std::string> work_of(const OwnCodeCheck& check, const ArmFacts& arm) {
  std::vector<std::string> work{check.where, arm.work, check.spec.workload, check.spec.strategy, check.spec.precision};
  for (const auto group : {OptionGroup::kWorkload, OptionGroup::kStrategy, OptionGroup::kPrecision}) {
    for (const auto& [name, value] : check.spec.options[group]) work.push_back(name + "=" + value);
  }
  return work;
}

bool is_of_loader(const OwnCodeCheck& check) { return check.section == "loaders"; }

// Loaders come first.
std::vector<OwnCodeCheck> different_checks(const Plan& plan) {
  std::set<std::vector<std::string>> seen;
  std::vector<OwnCodeCheck> checks;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    const auto& spec = launch.spec;
    for (const auto& arm : find_arms(plan.arms, spec.arms)) {
      if (!arm.module.empty()) {
        const auto release = lightning_release_of(spec);
        if (seen.insert({arm.work, release}).second) checks.push_back(module_check(spec, arm));
        if (!holds(arm.feature_names(), kCallbackFeature)) continue;
        auto check = callback_check(spec, arm);
        if (seen.insert({check.where, release}).second) checks.push_back(std::move(check));
        continue;
      }
      const auto features = arm.feature_names();
      const auto add = [&](OwnCodeCheck check) {
        if (seen.insert(work_of(check, arm)).second) checks.push_back(std::move(check));
      };
      if (holds(features, kLoopFeature)) {
        add(equality_check(kLoopFeature, spec, arm, launch.on_gpus));
      } else if (holds(features, kCallbackFeature)) {
        add(equality_check(kCallbackFeature, spec, arm, launch.on_gpus));
      } else if (holds(features, kLoaderFeature)) {
        add(steps_check(kLoaderFeature, spec, arm, launch.on_gpus));
      }
    }
  }
  std::stable_partition(checks.begin(), checks.end(), is_of_loader);
  return checks;
}

}  // namespace

void check_own_code(const Plan& plan, const Installation& installation) {
  const auto host = [&] {
    return RankProgram{"ddpbench_arms", program_of(plan.arms, installation).tokens, "ddpbench_arms: checked"};
  };
  std::set<std::string> mistakes;
  std::set<OwnCode::mapped_type> wrong_loaders;
  for (const auto& check : different_checks(plan)) {
    const auto loader = check.spec.own_code.find(kLoaderFeature);
    if (loader != check.spec.own_code.end() && wrong_loaders.contains(loader->second)) continue;
    std::cerr << "checking " << check.what << " (at most " << static_cast<int>(kRankCheckSeconds) << " s)" << std::endl;
    const auto mistake = mistake_told_by(host(), check.spec, check.where);
    if (mistake.empty()) continue;
    mistakes.insert("[" + check.section + "] " + check.name + ": " + mistake);
    if (is_of_loader(check)) wrong_loaders.insert(loader->second);
  }
  if (!mistakes.empty()) throw UsageError(std::vector(mistakes.begin(), mistakes.end()));
}

}  // namespace ddpbench
