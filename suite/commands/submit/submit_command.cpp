#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>

#include "suite/base/durable_file.hpp"
#include "suite/base/environment_rules.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/clock_text.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/profile_arguments.hpp"
#include "suite/commands/run/collective_arguments.hpp"
#include "suite/commands/run/node_check_report.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/commands/submit/job_scripts.hpp"
#include "suite/commands/submit/left_out_nodes.hpp"
#include "suite/commands/submit/submitted_jobs.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/plan/plan_text.hpp"
#include "suite/runs/site_check.hpp"
#include "suite/runs/submission.hpp"
#include "suite/runs/utc_time.hpp"
#include "suite/sites/jobs.hpp"
#include "suite/sites/read_site.hpp"
#include "suite/sites/site_availability.hpp"

namespace ddpbench {
namespace {

constexpr const char* kNoSiteCheckOption = "--no-site-check";
constexpr const char* kIdleGpusOption = "--leave-gpus-idle";

struct SubmitArguments {
  ExperimentChoice choice;
  ComparedPair pair;
  CollectivesRequest request;
  ProfileRequest profile;
  std::vector<std::string> collective_tokens;  // that they were read from
  std::string site, account, quality, time, jobs = "one", data, output, status, cancel, exclude;
  std::vector<std::string> options;
  bool is_dry = false, is_unchecked = false, skips_site_check = false, leaves_gpus_idle = false, is_of_collectives = false;
};

std::optional<std::int64_t> wished_minutes(const std::string& time) {
  return time.empty() ? std::nullopt : std::optional(minutes_in(time, "--time"));
}

JobLayout layout_of(const std::string& word) {
  if (word == "one") return JobLayout::kOne;
  if (word == "per-node-count") return JobLayout::kPerNodeCount;
  if (word == "array") return JobLayout::kArray;
  throw UsageError("--jobs " + shown(word) + ": must be one, per-node-count or array");
}

void require_printable(const std::string& option, const std::string& value) {
  if (!is_printable_line(value))
    throw UsageError(option + " '" + shown(value) + "': must be a single line of printable characters");
}

// Each becomes a line of its own in a script.
void require_single_lines(const SubmitArguments& arguments) {
  for (const auto& text : arguments.options) require_printable("--batch-option", text);
  require_printable("--account", arguments.account);
  require_printable("--qos", arguments.quality);
}

// An option that would change nothing is a mistake.
void require_none_for_collectives(const SubmitArguments& arguments) {
  const auto& overrides = arguments.choice.overrides;
  const std::pair<const char*, bool> given[] = {{"--set", !overrides.settings.empty()},
                                                {"--constraint", !overrides.constraints.empty()},
                                                {"--quick", overrides.quick},
                                                {"--base", !arguments.pair.base.empty()},
                                                {"--new", !arguments.pair.fresh.empty()},
                                                {"--data", !arguments.data.empty()},
                                                {kNoPreflightOption, arguments.is_unchecked},
                                                {"--profile", arguments.profile.is_asked_for()}};
  for (const auto& [option, is_given] : given) {
    if (is_given) throw UsageError(std::string(option) + " is not for collectives: leave it out");
  }
}

// What the user calls for: an experiment, two builds that are compared by it, or collectives.
JobWork work_of(const SubmitArguments& arguments, const Site& site, const Installation& installation) {
  const auto& experiment = arguments.choice.experiment;
  if (arguments.is_of_collectives) {
    if (!experiment.empty()) throw UsageError("submit: give EXPERIMENT '" + shown(experiment) + "' or collectives, not both");
    require_none_for_collectives(arguments);
    return collectives_work(site, arguments.request, arguments.collective_tokens, installation);
  }
  if (experiment.empty())
    throw UsageError("EXPERIMENT is missing: a TOML file, the name of a shipped experiment, or collectives");
  const auto& pair = arguments.pair;
  if (pair.base.empty() != pair.fresh.empty())
    throw UsageError(std::string("submit: ") + (pair.base.empty() ? "--base" : "--new") + " is missing: give both, or neither");
  if (pair.base.empty()) return run_work(site, arguments.choice, arguments.profile, installation);
  if (arguments.is_unchecked)
    throw UsageError(std::string(kNoPreflightOption) + ": `compare` does not look at nodes: leave it out");
  if (arguments.profile.is_asked_for()) throw UsageError("--profile: `compare` takes no profile: leave it out");
  return compare_work(site, arguments.choice, pair);
}

ReadyJobs get_jobs_ready(const SubmitArguments& arguments) {
  require_single_lines(arguments);
  auto installation = find_installation();
  if (arguments.site.empty())
    throw UsageError("--site is missing: a TOML file or one of " + listed(site_names(installation.sites())));
  auto site = find_site(arguments.site, installation.sites());
  const JobRequest request{layout_of(arguments.jobs), arguments.quality, wished_minutes(arguments.time)};
  auto work = work_of(arguments, site, installation);
  if (!work.is_one_study() && request.layout != JobLayout::kOne)
    throw UsageError("--jobs " + arguments.jobs + ": `" + work.command + "` is one job");
  auto idle = arguments.leaves_gpus_idle ? "" : why_gpus_idle(site, work.plan, installed_vocabulary(installation));
  if (!idle.empty() && !arguments.is_dry)
    throw UsageError(idle + "; " + std::string(kIdleGpusOption) + " submits it all the same");
  auto jobs = plan_jobs(work.plan, site, request);
  const auto& system = find_entry(batch_systems(), "batch system", site.batch_system);
  return {std::move(site), std::move(work), std::move(jobs), std::move(installation), system, std::move(idle)};
}

// Batch systems cut their options at blanks.
std::string output_folder(const SubmitArguments& arguments, const ReadyJobs& ready, std::chrono::system_clock::time_point now) {
  const auto name = ready.work.name + "-" + ready.site.name + "-" + utc_name(now);
  const auto given = arguments.output.empty() ? "results/" + name : arguments.output;
  auto path = absolute_path(given, "--output");
  require_printable("--output", path);
  if (path.find_first_of(" \t\n\"'\\%") != std::string::npos)
    throw UsageError("--output " + shown(path) +
                     ": a batch system takes no path with blanks, quotes or %: choose another --output");
  return path;
}

std::string one_decimal(double value) { return readable_number(std::round(value * 10) / 10); }

std::string hours_text(double seconds) {
  return seconds < 7'200 ? std::to_string(std::lround(seconds / 60)) + " min" : one_decimal(seconds / 3'600) + " h";
}

std::string job_text(const Job& job, const ReadyJobs& ready) {
  const auto& site = ready.site;
  const auto tasks = job.tasks == 0 ? "" : counted(job.tasks, "task") + " of an array, each: ";
  std::string text = "job " + job.name + ": " + tasks + size_phrase(job) + ", " +
                     counted(static_cast<std::int64_t>(job.cells), "cell") + ", " +
                     counted(static_cast<std::int64_t>(job.launches), "launch") + "\n  at most " +
                     hours_text(job.measuring_seconds) + " of measuring, and " + hours_text(job.starting_seconds) +
                     " for starts (30 s each are assumed); asks for " + time_text(job.minutes);
  if (!job.quality.empty()) text += " of " + job.quality;
  text += "\n";
  if (job.parts > 1) {
    text += "  this may be less than the plan needs: " +
            std::string(ready.system.begins_again ? "the job then restarts itself"
                                                  : "submit its script again until all is measured") +
            ", up to " + std::to_string(job.parts) + " times\n";
  }
  if (job.gpus > 0) {
    text += "  at most " + one_decimal(job.gpu_hours) + " GPU-hours" + (job.tasks == 0 ? "" : " of all tasks");
    if (site.price_per_gpu_hour > 0) text += ", " + one_decimal(job.gpu_hours * site.price_per_gpu_hour) + " " + site.price_unit;
    text += "\n";
  }
  return text;
}

void print_jobs(const ReadyJobs& ready) {
  std::cout << "site " << ready.site.name << ": " << ready.site.description << "\n" << points_text(ready.work.plan) << "\n";
  for (const auto& job : ready.jobs.jobs) std::cout << job_text(job, ready);
}

Submission write_all(const ReadyJobs& ready, const std::vector<JobScript>& scripts, const std::string& folder,
                     std::chrono::system_clock::time_point now) {
  if (holds_something(folder)) throw UsageError(folder + " is not empty: choose another --output");
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw CannotRun("cannot make the folder " + folder + ": " + failed.message());
  if (!ready.work.experiment.empty()) replace_file(folder + "/experiment.toml", ready.work.experiment);
  for (const auto& script : scripts) {
    const auto path = script_path(folder, script.job);
    replace_file(path, script.text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_exec, std::filesystem::perm_options::add, failed);
  }
  Submission submission;
  submission.site = ready.site.name;
  submission.batch_system = ready.site.batch_system;
  submission.experiment = ready.work.name;
  submission.written_utc = utc_text(now);
  submission.results_command = ready.work.results_command();
  submission.is_collected = is_collected(ready);
  submission.price_per_gpu_hour = ready.site.price_per_gpu_hour;
  submission.price_unit = ready.site.price_unit;
  for (const auto& job : ready.jobs.jobs) {
    submission.jobs.push_back({job.name, "", job.launches_of_all_tasks, job.tasks});
  }
  write_submission(folder, submission);
  return submission;
}

std::vector<std::string> ids_of(const Submission& submission) {
  std::vector<std::string> ids;
  for (const auto& job : submission.jobs) ids.push_back(job.id);
  return ids;
}

// Names variables that would override the script.
void tell_withheld(const BatchSystem& system) {
  const bool is_in_job = !environment_variable("SLURM_JOB_ID").empty() || !environment_variable("PBS_JOBID").empty();
  std::vector<std::string> words;
  for (const auto ended : {EnvironmentPolicy::kOfSession, EnvironmentPolicy::kOfStep, EnvironmentPolicy::kOfTask}) {
    for (const auto& [name, value] : variables_of(ended)) {
      if (!is_in_job || name.starts_with("SBATCH_")) words.push_back(name + "=" + shown(value));  // the others are the job's own
    }
  }
  if (!words.empty())
    std::cout << "not handed to " << system.submit("", {}).front()
              << ", for the script says what the job is (--batch-option adds to it): " << join(words, ", ") << "\n";
}

// The record is written behind each job: one that is submitted and not known would go on unseen.
void submit_all(const BatchSystem& system, const std::string& folder, Submission& submission) {
  tell_withheld(system);
  for (auto& job : submission.jobs) {
    job.id = submit_job(system, script_path(folder, job.name));
    write_submission(folder, submission);
    std::cout << "submitted: job " << job.name << " is " << job.id << "\n";
  }
  if (!submission.is_collected) return;
  try {
    submission.collecting_id = submit_job(system, script_path(folder, kCollectingJob), ids_of(submission));
  } catch (const CannotRun& error) {
    submission.is_collected = false;
    std::cout << "not submitted: job " << kCollectingJob
              << ", which would make the page; the others are, and need it not: " << error.what() << "\n";
  }
  write_submission(folder, submission);
  if (submission.is_collected)
    std::cout << "submitted: behind them, job " << kCollectingJob << " is " << submission.collecting_id
              << "; it makes the page\n";
}

void print_how_to_submit(const BatchSystem& system, const std::string& folder, const Submission& submission) {
  std::cout << "nothing is submitted (--dry-run); edit the scripts as you like, then:\n";
  std::vector<std::string> ids;
  for (const auto& job : submission.jobs) {
    std::cout << "  " << shell_text({system.submit(script_path(folder, job.name), {})}) << "\n";
    ids.push_back("ID" + (submission.jobs.size() > 1 ? std::to_string(ids.size() + 1) : ""));
  }
  if (!submission.is_collected) return;
  std::cout << "  " << shell_text({system.submit(script_path(folder, kCollectingJob), ids)}) << "   # " << join(ids, ", ")
            << ": what it said\n";
}

void print_scripts(const std::vector<JobScript>& scripts, const std::string& folder) {
  for (const auto& script : scripts) {
    std::cout << "\n" << script_path(folder, script.job) << "\n";
    for (const auto& line : split(script.text, '\n')) std::cout << "  | " << line << "\n";
  }
}

// Checks only where jobs can be submitted.
void check_site(const SubmitArguments& arguments, const ReadyJobs& ready) {
  if (arguments.skips_site_check) return;
  const auto submits = ready.system.submit("", {}).front();
  if (find_program(submits).empty()) {
    std::cout << "\nnot checked: modules, programs and data, for " << submits << " is not in $PATH: this is not the site\n";
    return;
  }
  std::vector<std::string> missing;
  for (const auto& installation : ready.work.installations) {
    for (auto& words : missing_for_jobs(ready.site, installation, ready.work.plan, data_of_jobs(ready, arguments.data))) {
      if (!holds(missing, words)) missing.push_back(std::move(words));
    }
  }
  if (missing.empty()) return;
  const auto words = "these jobs would fail, as far as this machine tells (" + std::string(kNoSiteCheckOption) +
                     " does not look):\n  " + join(missing, "\n  ");
  if (!arguments.is_dry) throw CannotRun(words);
  std::cout << "\n" << words << "\n";
}

// A study's page is there at any time, of what is measured by then.
std::string page_phrase(const ReadyJobs& ready, const std::string& folder) {
  if (ready.work.is_one_study()) return "the page, at any time: ddpbench report " + shell_quoted(folder) + "\n";
  return "the page, once it has measured: ddpbench " + ready.work.results_command() + " " +
         shell_quoted(results_path(folder, ready.jobs.jobs.front().name)) + "\n";
}

ExitCode submit(const SubmitArguments& arguments) {
  const auto now = std::chrono::system_clock::now();
  const auto ready = get_jobs_ready(arguments);
  const auto folder = output_folder(arguments, ready, now);
  print_jobs(ready);
  if (ready.jobs.jobs.empty()) {
    std::cout << "nothing of it can run on this site\n";
    return ExitCode::kNothingRunsHere;
  }
  if (!ready.jobs.refusals.empty()) {
    throw UsageError("the site's limits refuse it:\n  " + join(ready.jobs.refusals, "\n  "));
  }
  auto options = arguments.options;
  const auto left_out = nodes_to_leave_out(arguments.exclude, ready.system, now);
  if (!left_out.empty()) options.push_back(std::string(ready.system.exclude_option) + join(left_out, ","));
  const auto scripts = scripts_of(ready, {arguments.account, arguments.data, options, arguments.is_unchecked}, folder);
  print_scripts(scripts, folder);
  if (!ready.idle.empty()) std::cout << "\nwould be refused: " << ready.idle << "\n";
  if (!ready.work.missing.empty()) {
    std::cout << "\nthis build cannot run it, so nothing is submitted:\n  " << join(ready.work.missing, "\n  ") << "\n";
    return ExitCode::kNothingRunsHere;
  }
  check_site(arguments, ready);
  if (arguments.is_dry && arguments.output.empty()) {
    std::cout << "\nnothing is written and nothing submitted (--dry-run)\n";
    return ExitCode::kDone;
  }
  auto submission = write_all(ready, scripts, folder, now);
  std::cout << "\nwritten: " << folder << "\n";
  if (arguments.is_dry) {
    print_how_to_submit(ready.system, folder, submission);
    return ExitCode::kDone;
  }
  submit_all(ready.system, folder, submission);
  std::cout << "how far it is: ddpbench watch " << shell_quoted(folder) << "\n" << page_phrase(ready, folder);
  return ExitCode::kDone;
}

ExitCode dispatch(const SubmitArguments& arguments) {
  if (!arguments.status.empty()) return print_job_states(arguments.status);
  if (!arguments.cancel.empty()) return cancel_jobs(arguments.cancel);
  return submit(arguments);
}

CommandAction declare_submit(CLI::App& app) {
  const auto arguments = std::make_shared<SubmitArguments>();
  add_experiment_arguments(app, arguments->choice);
  add_profile_arguments(app, arguments->profile);
  app.get_option("EXPERIMENT")->required(false);
  auto* base = app.add_option("--base", arguments->pair.base,
                              "compare two builds, as `ddpbench compare` does, by EXPERIMENT: this one's folder, or KEY=VALUE");
  app.add_option("--new", arguments->pair.fresh, "the new build, likewise");
  app.add_flag("--once", arguments->pair.once, "measure --base once")->needs(base);
  auto* collectives = app.add_subcommand("collectives", "instead of an experiment: what `ddpbench collectives` measures");
  collectives->fallthrough();
  add_collective_arguments(*collectives, arguments->request);
  collectives->parse_complete_callback([arguments, collectives] {
    arguments->is_of_collectives = true;
    arguments->collective_tokens = given_tokens(*collectives);
  });
  app.add_option("--site", arguments->site, "the cluster: one of `ddpbench list sites`, or a TOML file");
  app.add_option("--account", arguments->account, "who pays: the project's name, without what the site adds to it");
  app.add_option("--qos", arguments->quality, "the quality of service (default: the first of the site's that takes the job)");
  app.add_option("--time", arguments->time,
                 "HOURS:MINUTES that a job asks for (default: what it may need, as far as the site allows)");
  app.add_option(
      "--jobs", arguments->jobs,
      "one: all sizes in one allocation, the better comparison; per-node-count: small ones wait less; array: a task for each "
      "repetition, each with all sizes");
  app.add_option("--data", arguments->data, "folder with the data set, as the nodes see it");
  add_repeated_option(app, "--batch-option", arguments->options,
                      "a further option of the batch system, for example --batch-option=--mail-type=END (may be repeated)");
  app.add_option("--exclude", arguments->exclude,
                 "NODE,NODE: nodes that the jobs do not get; none (default: those found slow or broken in the last week)");
  app.add_flag(kNoPreflightOption, arguments->is_unchecked, kNoPreflightHelp);
  app.add_flag(
      kNoSiteCheckOption, arguments->skips_site_check,
      "do not look whether modules load, the programs start behind them, and the data are there; looking runs the site's "
      "setup here");
  app.add_flag(kIdleGpusOption, arguments->leaves_gpus_idle, "submit a study of CPUs to GPU nodes all the same");
  app.add_option("--output", arguments->output, "a new folder for scripts and results (default: results/EXPERIMENT-SITE-UTC)");
  app.add_flag("--dry-run", arguments->is_dry, "submit nothing; with --output write the scripts, to be edited");
  app.add_option("--status", arguments->status, "how far the jobs of such a folder are");
  app.add_option("--cancel", arguments->cancel, "end the jobs of such a folder");
  return [arguments] { return dispatch(*arguments); };
}

}  // namespace

CommandEntry submit_command() {
  return {"submit",
          "Writes and submits the jobs that measure an experiment on a cluster",
          "Prints what the jobs will measure, how long they take at most, what they cost, and their scripts; then it "
          "submits them.\n"
          "What the site does not allow is refused before. A job that meets its time limit begins again and goes on "
          "(Slurm).",
          "ddpbench submit scaling --site jean-zay-h100 --account abc --dry-run",
          "0 done; 2 a mistake in the command, or more than the site allows; 3 the batch system refused, or is not here;\n"
          "77 every launch was skipped on this site",
          declare_submit};
}

}  // namespace ddpbench
