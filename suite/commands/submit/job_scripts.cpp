#include "suite/commands/submit/job_scripts.hpp"

#include <algorithm>

#include "suite/base/durable_file.hpp"
#include "suite/commands/run/node_check_report.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/runs/submission.hpp"
#include "suite/sites/batch_script.hpp"

namespace ddpbench {
namespace {

// For the shell to read: "$SLURM_ARRAY_TASK_ID"; "" where the job is no array.
std::string task_number(const ReadyJobs& ready, const Job& job) {
  return job.tasks == 0 ? "" : "$" + std::string(ready.system.task_variable);
}

std::string results_text(const ReadyJobs& ready, const Job& job, const std::string& folder) {
  const auto task = task_number(ready, job);
  return shell_quoted(results_path(folder, job.name)) + (task.empty() ? "" : "-" + task);
}

std::string run_command(const ReadyJobs& ready, const ScriptRequest& request, const Job& job, const std::string& folder) {
  const auto& work = ready.work;
  LaunchCommand command{{ready.installation.program.string(), work.command}};
  auto& words = command.tokens;
  if (!work.experiment.empty()) words.push_back(folder + "/experiment.toml");
  words.insert(words.end(), work.options.begin(), work.options.end());
  words.insert(words.end(), {"--resume", "--launcher", ready.site.launcher});
  if (work.is_one_study() && request.is_unchecked) words.emplace_back(kNoPreflightOption);
  if (!job.constraint.empty()) words.insert(words.end(), {"--constraint", job.constraint});
  auto text = shell_text(command) + " --out " + results_text(ready, job, folder);
  if (job.tasks > 0) text += " --part " + task_number(ready, job) + "/" + std::to_string(job.tasks);
  const auto data = data_of_jobs(ready, request.data);
  return text + (data.empty() ? "" : " --data " + data);
}

std::string log_of(const ReadyJobs& ready, const Job& job, const std::string& folder) {
  return log_path(folder, job.name, job.tasks == 0 ? "" : std::string(ready.system.array_log));
}

JobScript collecting_job(const ReadyJobs& ready, const ScriptRequest& request, const std::string& folder) {
  const LaunchCommand report{{ready.installation.program.string(), "report", folder}};
  const ScriptFacts facts{request.account,
                          "ddpbench-" + ready.work.name + "-" + kCollectingJob,
                          log_path(folder, kCollectingJob, ""),
                          {},
                          shell_text(report)};
  const auto script_template = read_file((ready.installation.templates() / "collect.sh").string());
  return {kCollectingJob, collecting_script(script_template, ready.site, facts)};
}

}  // namespace

std::string data_of_jobs(const ReadyJobs& ready, const std::string& wished) {
  const auto reads = [](const PlannedLaunch& launch) { return launch.skip_reason.empty() && !launch.dataset.empty(); };
  const auto& launches = ready.work.plan.launches;
  if (std::none_of(launches.begin(), launches.end(), reads)) return "";
  if (!wished.empty()) return shell_quoted(absolute_path(wished, "--data"));
  return ready.site.data.empty() ? "" : "\"" + ready.site.data + "\"";
}

bool is_collected(const ReadyJobs& ready) { return ready.work.is_one_study() && !ready.site.collect.empty(); }

std::vector<JobScript> scripts_of(const ReadyJobs& ready, const ScriptRequest& request, const std::string& folder) {
  const auto script_template = read_file((ready.installation.templates() / ready.system.script).string());
  std::vector<JobScript> scripts;
  for (const auto& job : ready.jobs.jobs) {
    const auto suffix = job.constraint.empty() ? "" : "-" + job.name;
    const ScriptFacts facts{request.account,
                            "ddpbench-" + ready.work.name + suffix,
                            log_of(ready, job, folder),
                            request.options,
                            run_command(ready, request, job, folder),
                            results_text(ready, job, folder),
                            shell_quoted(ready.installation.program.string()),
                            ready.work.results_command()};
    scripts.push_back({job.name, batch_script(script_template, ready.site, job, facts)});
  }
  if (is_collected(ready)) scripts.push_back(collecting_job(ready, request, folder));
  return scripts;
}

}  // namespace ddpbench
