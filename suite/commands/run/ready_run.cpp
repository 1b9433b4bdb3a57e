#include "suite/commands/run/ready_run.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/commands/own_command.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/plan/plan_part.hpp"
#include "suite/runs/environment_record.hpp"
#include "suite/runs/planned_own_code.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/planned_weights.hpp"
#include "suite/runs/sweep.hpp"

namespace ddpbench {

ReadyRun get_ready(const Installation& installation, const ExperimentChoice& choice, const LaunchChoice& launch,
                   const std::string& part) {
  auto allocation = find_allocation(launch.hosts);
  auto vocabulary = installed_vocabulary(installation);
  auto experiment = read_experiment(choice, installation, vocabulary);
  const bool is_here = launch.launcher.empty() && allocation.job.empty() && !allocation.is_named;
  const bool over_mpi = is_here && runs_over_mpi(experiment, vocabulary, current_probe(installation, vocabulary.worker_build_id));
  const auto& launcher = chosen_launcher(launch.launcher, allocation, over_mpi);
  require_available(launcher, installation, allocation);
  const auto patience = experiment.protocol.hang_timeout_seconds;
  auto probe = probe_where_ranks_run(launcher, allocation, installation, vocabulary.worker_build_id, patience);
  if (is_hosted_by_python(arm_facts(vocabulary, experiment.arms))) {
    add_python_arms(probe, installation, vocabulary.arms, asks_where_ranks_run(launcher, allocation, installation, patience));
    if (!runs_elsewhere(launcher, allocation)) keep_probe(installation, vocabulary.worker_build_id, probe);
  }
  auto plan = make_plan(experiment, vocabulary, availability_from(probe, launcher.name, allocation));
  check_weights_files(plan);
  check_lightning_releases(plan, installation);
  check_weights_fit(plan, installation);
  check_own_code(plan, installation);
  if (!part.empty()) keep_part(plan_part(part, "--part"), plan);
  auto data = planned_data(plan, launch.data);
  return {installation,          launcher,         std::move(allocation), std::move(vocabulary),
          std::move(experiment), std::move(probe), std::move(plan),       std::move(data)};
}

void plan_launches(ReadyRun& ready, const InterimPlan& plan) {
  auto& experiment = ready.experiment;
  if (experiment.protocol.launches == plan.launches && experiment.protocol.looks == plan.looks) return;
  for (const auto& axis : experiment.axes) {
    if (axis.name == "launches")
      throw UsageError("launches is an axis of " + experiment.name + ": their number cannot be chosen for all cells");
  }
  experiment.protocol.launches = plan.launches;
  experiment.protocol.looks = plan.looks;
  ready.plan = make_plan(experiment, ready.vocabulary, availability_from(ready.probe, ready.launcher.name, ready.allocation));
}

ExistingRun begun_run(const std::string& path, const Vocabulary& vocabulary) {
  if (!is_begun(path)) return {};
  const auto folder = ResultsFolder::open(path);
  const auto protocol = parse_experiment(folder.experiment_toml(), path, vocabulary).protocol;
  std::int64_t measured = 0;
  for (const auto& run : folder.runs()) measured = std::max(measured, run.status == status::kOk ? run.repetition + 1 : 0);
  return {.launches = protocol.launches, .measured = measured, .looks = protocol.looks, .looks_taken = folder.looks_taken()};
}

std::vector<PlanRow> plan_rows(const ReadyRun& ready) {
  std::vector<PlanRow> rows;
  for (const auto& launch : ready.plan.launches) {
    const auto program = planned_program(launch, ready.plan.arms, ready.installation, ready.allocation.hosts);
    const auto data = ready.data.find(launch.dataset);
    const auto path = data == ready.data.end() ? "" : data->second.path;
    rows.push_back(to_row(launch, pasteable_command(ready.launcher, launch.spec, program, path)));
  }
  return rows;
}

ResultsFolder open_folder(const ReadyRun& ready, const std::string& path, bool resume,
                          std::chrono::system_clock::time_point started) {
  const auto toml = to_toml(ready.experiment);
  if (resume && is_begun(path)) return ResultsFolder::resume(path, toml, plan_rows(ready));
  const auto environment =
      environment_record({ready.probe, ready.vocabulary, ready.plan, own_command_line(), ready.launcher, ready.allocation,
                          describe_origins(ready.data, ready.experiment.own_code.contains(kModuleFeature)), started});
  auto folder = begin_folder(path, resume, toml, plan_rows(ready), environment);
  commit_skips(folder, ready.plan);
  return folder;
}

}  // namespace ddpbench
