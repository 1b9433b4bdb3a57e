#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "suite/commands/command.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/profile_arguments.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/node_probe.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_text.hpp"
#include "suite/purposes/profile/profiler_command.hpp"
#include "suite/runs/planned_data.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/planned_weights.hpp"
#include "suite/runs/resolution_history.hpp"
#include "suite/runs/site_plan.hpp"
#include "suite/sites/read_site.hpp"

namespace ddpbench {
namespace {

struct PlanArguments {
  ExperimentChoice choice;
  LaunchChoice launch;
  ProfileRequest profile;
  bool all_commands = false;
  std::string site;
};

// Where a plan is to run: here, in the job that this shell has, or on a site, of which a file tells.
struct Target {
  const Launcher& launcher;
  Allocation allocation;
  Availability availability;
};

Target target_of(const PlanArguments& arguments, const Installation& installation, const Vocabulary& vocabulary,
                 const Experiment& experiment, const std::vector<ArmFacts>& arms) {
  if (!arguments.site.empty()) {
    const auto site = find_site(arguments.site, installation.sites());
    if (!arguments.launch.launcher.empty() || !arguments.launch.hosts.empty())
      throw UsageError("--site '" + site.name + "' says what starts the ranks, and where: leave --launcher and --hosts out");
    auto availability = availability_at(site, installation, vocabulary, arms);
    return {find_entry(launchers(), "launcher", site.launcher), {}, std::move(availability)};
  }
  auto allocation = find_allocation(arguments.launch.hosts);
  const auto known = kept_probe(installation, vocabulary.worker_build_id);
  const auto& launcher = chosen_launcher(arguments.launch.launcher, allocation, runs_over_mpi(experiment, vocabulary, known));
  auto probe = runs_elsewhere(launcher, allocation) ? std::nullopt : known;
  if (probe && is_hosted_by_python(arms)) add_python_arms(*probe, installation, vocabulary.arms);
  auto availability = availability_from(probe, launcher.name, allocation);
  return {launcher, std::move(allocation), std::move(availability)};
}

// Folders that the printed commands name and nobody has made yet.
std::set<std::string> missing_data(const Plan& plan, const std::string& data_option) {
  std::set<std::string> missing;
  for (const auto& launch : plan.launches) {
    const auto path = launch.skip_reason.empty() ? expected_data(launch, data_option) : "";
    std::error_code unreadable;
    if (!path.empty() && !std::filesystem::exists(path, unreadable)) missing.insert(path);
  }
  return missing;
}

// What holds the largest launch of this machine back; "" where nothing does, or other machines run it.
std::string quota_phrase(const Target& target, const Plan& plan) {
  std::int64_t most = 0;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) most = std::max(most, launch.spec.ranks_per_node);
  }
  return most == 0 ? "" : target.launcher.binding(most, target.allocation.hosts).quota;
}

// The command of each cell's launch under the profiler; of many cells the first ones only.
std::string profiles_text(const PlanArguments& arguments, const Plan& plan, const Vocabulary& vocabulary,
                          const Installation& installation, const Target& target) {
  constexpr std::size_t kMost = 20;
  auto launches = plan_profiles(arguments.profile, plan, vocabulary);
  const auto left_out = arguments.all_commands || launches.size() <= kMost ? 0 : launches.size() - kMost;
  launches.resize(launches.size() - left_out);
  std::string text = launches.empty() ? "" : "\nprofiles, each behind its cell's launches\n";
  for (auto& launch : launches) {
    auto& spec = launch.spec;
    spec.part_dir = pasteable_part_dir(spec);
    const auto program = planned_program(launch, plan.arms, installation, target.allocation.hosts);
    text += "  " + spec.launch_id + "\n      " +
            pasteable_command(target.launcher, spec, under_profiler(target.launcher, spec, program),
                              expected_data(launch, arguments.launch.data)) +
            "\n";
  }
  return left_out == 0 ? text : text + "  and " + std::to_string(left_out) + " more: see --all-commands\n";
}

ExitCode print_plan(const PlanArguments& arguments) {
  const auto installation = find_installation();
  const auto vocabulary = installed_vocabulary(installation);
  const auto experiment = read_experiment(arguments.choice, installation, vocabulary);
  const auto arms = arm_facts(vocabulary, experiment.arms);
  const auto target = target_of(arguments, installation, vocabulary, experiment, arms);
  const auto command = [&](const PlannedLaunch& launch) {
    const auto program = planned_program(launch, arms, installation, target.allocation.hosts);
    return pasteable_command(target.launcher, launch.spec, program, expected_data(launch, arguments.launch.data));
  };
  const auto depth = arguments.all_commands ? PlanDepth::kEveryLaunch : PlanDepth::kFirstRepetition;
  const auto plan = make_plan(experiment, vocabulary, target.availability, depth);
  check_weights_files(plan);
  check_lightning_releases(plan, installation);
  const auto resolution = [known = known_resolutions()](const PlannedLaunch& launch) { return resolution_phrase(known, launch); };
  std::cout << plan_text(plan, experiment, {command, resolution, arguments.all_commands, target.availability.probed});
  std::cout << profiles_text(arguments, plan, vocabulary, installation, target);
  if (const auto quota = quota_phrase(target, plan); !quota.empty()) std::cout << quota << '\n';
  for (const auto& path : missing_data(plan, arguments.launch.data)) {
    std::cout << "no data set at " << path << " yet: `ddpbench run` generates it, or give --data\n";
  }
  return ExitCode::kDone;
}

CommandAction declare_plan(CLI::App& app) {
  const auto arguments = std::make_shared<PlanArguments>();
  add_experiment_arguments(app, arguments->choice);
  add_launch_arguments(app, arguments->launch);
  add_profile_arguments(app, arguments->profile);
  app.add_option("--site", arguments->site,
                 "plan for this cluster, not for this machine: one of `ddpbench list sites`, or a TOML file");
  app.add_flag("--all-commands", arguments->all_commands, "all cells, and the command of every launch");
  return [arguments] { return print_plan(*arguments); };
}

}  // namespace

CommandEntry plan_command() {
  return {"plan",
          "Shows what `run` would do: cells, launches, commands, time; starts nothing",
          "Prints every cell, what is skipped and why, how many launches there are, how long they take at most, and "
          "the\n"
          "command of each, which can be pasted into a shell.",
          "ddpbench plan demo --set ranks_per_node=1,2 --constraint 'ranks_per_node <= 2'",
          "0 done; 2 a mistake in the command or the experiment",
          declare_plan};
}

}  // namespace ddpbench
