#include "suite/commands/job_scripts.hpp"

#include "suite/base/durable_file.hpp"
#include "suite/commands/node_look.hpp"
#include "suite/commands/run_folder.hpp"
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

std::string run_command(const ReadyJobs& ready, const ScriptWishes& wishes, const Job& job, const std::string& folder) {
  LaunchCommand command{
      {ready.installation.program.string(), "run", folder + "/experiment.toml", "--resume", "--launcher", ready.site.launcher}};
  auto& words = command.tokens;
  if (wishes.is_unchecked) words.emplace_back(kNoPreflightOption);
  if (!job.constraint.empty()) words.insert(words.end(), {"--constraint", job.constraint});
  if (!wishes.data.empty()) words.insert(words.end(), {"--data", absolute_path(wishes.data, "--data")});
  auto text = shell_text(command) + " --out " + results_text(ready, job, folder);
  if (job.tasks > 0) text += " --part " + task_number(ready, job) + "/" + std::to_string(job.tasks);
  const bool is_sites_data = wishes.data.empty() && !ready.site.data.empty();  // for the shell to read: "$DSDIR"
  return text + (is_sites_data ? " --data \"" + ready.site.data + "\"" : "");
}

std::string log_path(const ReadyJobs& ready, const Job& job, const std::string& folder) {
  return folder + "/" + job.name + (job.tasks == 0 ? "" : "-" + std::string(ready.system.array_log)) + ".log";
}

JobScript collecting_job(const ReadyJobs& ready, const ScriptWishes& wishes, const std::string& folder) {
  const LaunchCommand report{{ready.installation.program.string(), "report", folder}};
  const ScriptFacts facts{wishes.account,
                          "ddpbench-" + ready.experiment.name + "-" + kCollectingJob,
                          folder + "/" + kCollectingJob + ".log",
                          {},
                          shell_text(report),
                          ""};
  const auto script_template = read_file((ready.installation.templates() / "collect.sh").string());
  return {kCollectingJob, collecting_script(script_template, ready.site, facts)};
}

}  // namespace

std::vector<JobScript> scripts_of(const ReadyJobs& ready, const ScriptWishes& wishes, const std::string& folder) {
  const auto script_template = read_file((ready.installation.templates() / ready.system.script).string());
  std::vector<JobScript> scripts;
  for (const auto& job : ready.jobs.jobs) {
    const auto suffix = job.constraint.empty() ? "" : "-" + job.name;
    const ScriptFacts facts{wishes.account, "ddpbench-" + ready.experiment.name + suffix, log_path(ready, job, folder),
                            wishes.options, run_command(ready, wishes, job, folder),      results_text(ready, job, folder)};
    scripts.push_back({job.name, batch_script(script_template, ready.site, job, facts)});
  }
  if (!ready.site.collect.empty()) scripts.push_back(collecting_job(ready, wishes, folder));
  return scripts;
}

}  // namespace ddpbench
