#include "suite/purposes/profile/profile_plan.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

void note_unknown_arms(const ProfileRequest& request, const Plan& plan, std::vector<std::string>& mistakes) {
  for (const auto& arm : request.arms) {
    if (entry_or_null(plan.arms, arm) == nullptr)
      mistakes.push_back("--profile-arms: " + unknown_name_message(plan.arms, "arm", arm));
  }
}

void note_ranks_of_no_cell(const ProfileRequest& request, std::int64_t most_ranks, std::vector<std::string>& mistakes) {
  for (const auto& text : request.ranks) {
    const auto rank = parse_number<std::int64_t>(text);
    if (rank && *rank >= most_ranks && most_ranks > 0)
      mistakes.push_back("--profile-ranks " + text + ": must be a rank, from 0 to " + std::to_string(most_ranks - 1));
  }
}

// Of a control there is nothing to see: it is its reference's code. A probe may show no ranges, or drop its collectives.
std::vector<std::string> arms_of(const ProfileRequest& request, const LaunchSpec& launch, const Plan& plan) {
  auto arms = launch.arms;
  std::erase_if(arms, [&](const auto& arm) {
    const auto& facts = find_arm(plan.arms, arm);
    return request.arms.empty() ? !facts.is_reference() && !facts.is_subject() : !holds(request.arms, arm);
  });
  return arms;
}

void fill(const ProfileRequest& request, LaunchSpec& spec) {
  spec.purpose = purpose::kProfile;
  spec.launch_id += "-" + request.profiler;  // another for each profiler: their files lie side by side
  spec.profiler = request.profiler;
  if (!request.steps.empty()) spec.profile_steps = request.steps;
  spec.profile_schedule = request.schedule;
  spec.profile_ranks = request.ranks;
  std::erase_if(spec.profile_ranks, [&](const auto& text) {
    const auto rank = parse_number<std::int64_t>(text);
    return rank && *rank >= spec.world_size();
  });
  spec.profile_with = request.with;
}

}  // namespace

std::vector<PlannedLaunch> plan_profiles(const ProfileRequest& request, const Plan& plan, const Vocabulary& vocabulary) {
  std::vector<PlannedLaunch> launches;
  if (!request.is_asked_for()) return launches;
  std::vector<std::string> mistakes;
  std::int64_t most_ranks = 0;
  note_unknown_arms(request, plan, mistakes);
  if (!request.steps.empty() && !request.schedule.empty())
    mistakes.emplace_back("--schedule says which steps a trace shows, as --profile-steps does: leave one of them out");
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty() || launch.spec.repetition > 0) continue;
    const auto arms = arms_of(request, launch.spec, plan);
    if (arms.empty()) continue;  // this cell has none of those that are asked for
    auto profile = launch;
    profile.spec = with_arms(launch.spec, arms, plan.arms, vocabulary);
    profile.extra.clear();
    fill(request, profile.spec);
    most_ranks = std::max(most_ranks, profile.spec.world_size());
    if (!request.ranks.empty() && profile.spec.profile_ranks.empty()) continue;  // it has none of the ranks
    for (const auto& mistake : profile_mistakes(profile.spec)) {
      if (!holds(mistakes, mistake)) mistakes.push_back(mistake);
    }
    launches.push_back(std::move(profile));
  }
  note_ranks_of_no_cell(request, most_ranks, mistakes);
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  return launches;
}

}  // namespace ddpbench
