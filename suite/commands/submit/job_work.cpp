#include "suite/commands/submit/job_work.hpp"

#include <algorithm>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/compare/compared_sides.hpp"
#include "suite/commands/profile_arguments.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/planned_weights.hpp"
#include "suite/runs/site_plan.hpp"
#include "suite/sites/site_availability.hpp"

namespace ddpbench {
namespace {

constexpr const char* kCompare = "compare";

bool runs_something(const Plan& plan) {
  return std::any_of(plan.launches.begin(), plan.launches.end(), [](const auto& launch) { return launch.skip_reason.empty(); });
}

std::vector<std::string> skip_reasons(const Plan& plan) {
  std::vector<std::string> reasons;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty() && !holds(reasons, launch.skip_reason)) reasons.push_back(launch.skip_reason);
  }
  return reasons;
}

// The plan of a build that can, where this one can run nothing of it there: then `missing` says what it lacks.
Plan plan_for(const Site& site, const Experiment& experiment, const Installation& installation, Vocabulary vocabulary,
              std::vector<std::string>& missing) {
  auto availability = availability_at(site, installation, vocabulary, arm_facts(vocabulary, experiment.arms));
  auto plan = make_plan(experiment, vocabulary, availability);
  if (runs_something(plan)) return plan;
  suppose_built_for(site, vocabulary, availability);
  auto supposed = make_plan(experiment, vocabulary, availability);
  if (!runs_something(supposed)) return plan;
  missing = skip_reasons(plan);
  return supposed;
}

void check(const Plan& plan, const Installation& installation) {
  check_weights_files(plan);
  check_lightning_releases(plan, installation);
}

// From the root folder on: a job begins elsewhere.
std::string as_a_job_names_it(const ComparedSide& side) {
  return side.settings.empty() ? side.installation.worker.parent_path().parent_path().string() : side.given;
}

}  // namespace

bool JobWork::is_one_study() const { return command == kRun; }

std::string JobWork::results_command() const { return command == kCompare ? kCompare : "report"; }

JobWork run_work(const Site& site, const ExperimentChoice& choice, const ProfileRequest& profile,
                 const Installation& installation) {
  const auto vocabulary = installed_vocabulary(installation);
  const auto experiment = read_experiment(choice, installation, vocabulary);
  JobWork work;
  work.name = experiment.name;
  work.experiment = to_toml(experiment);
  work.plan = plan_for(site, experiment, installation, vocabulary, work.missing);
  work.installations = {installation};
  check(work.plan, installation);
  for (const auto& one : plan_profiles(profile, work.plan, vocabulary)) {
    for (auto& launch : work.plan.launches) {
      if (launch.spec.cell_id == one.spec.cell_id && launch.spec.repetition == 0 && launch.skip_reason.empty())
        launch.profiles = 1;
    }
  }
  work.options = profile_tokens(profile);
  return work;
}

JobWork compare_work(const Site& site, ExperimentChoice choice, const ComparedPair& pair) {
  choice.experiment = find_experiment(choice.experiment, find_installation().share.string()).path;
  const auto sides = compared_sides(pair.base, pair.fresh, pair.once);
  JobWork work;
  std::vector<Plan> plans;
  for (const auto& side : sides) {
    if (side.folder == side_folder::kAgain) {
      plans.push_back(plans.front());  // base, as it was
      continue;
    }
    const auto vocabulary = installed_vocabulary(side.installation);
    auto on_both_sides = read_experiment(choice, side.installation, vocabulary);
    work.name = on_both_sides.name + "-compare";
    work.experiment = to_toml(on_both_sides);
    plans.push_back(plan_for(site, read_experiment(with_settings_of(side, choice), side.installation, vocabulary),
                             side.installation, vocabulary, work.missing));
    check(plans.back(), side.installation);
    const auto option = side.folder == side_folder::kBase ? "--base" : "--new";
    work.options.insert(work.options.end(), {option, as_a_job_names_it(side)});
    const auto is_known = [&](const Installation& one) { return one.worker == side.installation.worker; };
    if (std::none_of(work.installations.begin(), work.installations.end(), is_known))
      work.installations.push_back(side.installation);
  }
  require_same_cells(plans[0], plans[1]);
  work.plan = plans.front();
  for (auto plan = plans.begin() + 1; plan != plans.end(); ++plan)
    work.plan.launches.insert(work.plan.launches.end(), plan->launches.begin(), plan->launches.end());
  if (pair.once) work.options.emplace_back("--once");
  work.command = kCompare;
  return work;
}

JobWork collectives_work(const Site& site, CollectivesRequest request, std::vector<std::string> options,
                         const Installation& installation) {
  auto vocabulary = installed_vocabulary(installation);
  auto availability = availability_at(site, installation, vocabulary, {});
  const std::int64_t usual_nodes = site.most_nodes == 1 ? 1 : 2;
  if (request.nodes.empty()) {
    request.nodes = std::to_string(usual_nodes);
    options.insert(options.end(), {"--nodes", request.nodes});
  }
  JobWork work;
  auto planned = plan_collectives(request, vocabulary, availability, usual_nodes);
  if (planned.launches.empty()) {
    work.missing = planned.skips;
    suppose_built_for(site, vocabulary, availability);
    planned = plan_collectives(request, vocabulary, availability, usual_nodes);
    if (planned.launches.empty())
      throw UsageError("nothing of it can run on site '" + site.name + "': " + join(work.missing, "; "));
  }
  std::set<std::string> cells;
  for (auto& spec : planned.launches) {
    cells.insert(spec.cell_id);
    work.plan.launches.push_back({std::move(spec), "", ""});
  }
  work.plan.cells = cells.size();
  work.name = "collectives";
  work.command = "collectives";
  work.options = std::move(options);
  work.installations = {installation};
  return work;
}

}  // namespace ddpbench
