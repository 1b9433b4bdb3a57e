#include "suite/runs/planned_modules.hpp"

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/rank_check.hpp"

namespace ddpbench {
namespace {

// The launch with that module as its only one.
LaunchSpec with_module(LaunchSpec spec, const std::string& name) {
  spec.modules = {{name, spec.modules.at(name)}};
  return spec;
}

// One for each module and release that is trained.
std::vector<std::pair<std::string, LaunchSpec>> different_modules(const Plan& plan) {
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<std::pair<std::string, LaunchSpec>> modules;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    for (const auto& arm : find_arms(plan.arms, launch.spec.arms)) {
      if (arm.module.empty() || !seen.emplace(arm.module, lightning_release_of(launch.spec)).second) continue;
      modules.emplace_back(arm.module, with_module(launch.spec, arm.module));
    }
  }
  return modules;
}

}  // namespace

void check_modules(const Plan& plan, const Installation& installation) {
  const auto host = [&] {
    return RankProgram{"ddpbench_arms", program_of(plan.arms, installation).tokens, "ddpbench_arms: checked"};
  };
  std::set<std::string> mistakes;
  for (const auto& [name, spec] : different_modules(plan)) {
    std::cerr << "checking module " << name << ": its data, optimizer and one step (at most "
              << static_cast<int>(kRankCheckSeconds) << " s)" << std::endl;
    const auto mistake = mistake_told_by(host(), spec, spec.modules.at(name));
    if (!mistake.empty()) mistakes.insert("[modules] " + name + ": " + mistake);
  }
  if (!mistakes.empty()) throw UsageError(std::vector(mistakes.begin(), mistakes.end()));
}

}  // namespace ddpbench
