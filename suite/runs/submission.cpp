#include "suite/runs/submission.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kBatchSystemSeconds = 60;  // a controller that is busy
constexpr std::int64_t kMaxBytes = 1 << 20;

std::string record_path(const std::string& folder) { return folder + "/submission.json"; }

CapturedRun asked(const std::vector<std::string>& command) {
  const auto program = find_program(command.front());
  if (program.empty()) throw CannotRun(command.front() + " is not in $PATH: call this where jobs can be submitted");
  auto tokens = command;
  tokens.front() = program;
  return run_captured({tokens, {}, {}, {}}, kBatchSystemSeconds);
}

std::string said_by(const CapturedRun& run) {
  const auto text = run.err.find_first_not_of(" \n") == std::string::npos ? run.out : run.err;
  return text.find_first_not_of(" \n") == std::string::npos ? "and said nothing" : "and said: " + shown(text, 500);
}

[[noreturn]] void refused(const std::vector<std::string>& command, const CapturedRun& run) {
  throw CannotRun(join(command, " ") + " " + how_it_ended(run) + " " + said_by(run));
}

bool is_there(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

void add_runs(const std::string& results, JobProgress& progress) {
  if (!is_there(results + "/plan.csv") || !is_there(results + "/runs.csv")) return;
  std::set<std::string> measured, failed;
  for (const auto& row : read_csv_file<RunRow>(results + "/runs.csv")) {
    if (row.status == status::kSkipped) continue;
    (row.status == status::kOk ? measured : failed).insert(row.launch_id);
  }
  progress.measured += static_cast<std::int64_t>(measured.size());
  progress.failed += static_cast<std::int64_t>(failed.size());
  for (const auto& launch : failed) measured.erase(launch);
  progress.finished += static_cast<std::int64_t>(measured.size());
  for (const auto& row : read_csv_file<PlanRow>(results + "/plan.csv"))
    progress.planned += row.status_planned == status::kPlanned ? 1 : 0;
}

void add_collectives(const std::string& results, JobProgress& progress) {
  const auto path = results + "/environment.json";
  if (!is_there(path)) return;
  const auto record = Json::parse(read_file(path));
  progress.planned += record.value(kPlannedCollectives, std::int64_t{0});
  if (!record.contains(kPlannedCollectives) || !record.contains("launches")) return;
  for (const auto& launch : record.at("launches")) {
    const bool is_ok = launch.value("status", "") == status::kOk;
    progress.measured += is_ok ? 1 : 0;
    progress.finished += is_ok ? 1 : 0;
    progress.failed += is_ok ? 0 : 1;
  }
}

void add_progress(const std::string& results, JobProgress& progress) {
  add_runs(results, progress);
  add_collectives(results, progress);
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator(results, unknown))
    if (entry.is_directory(unknown)) add_runs(entry.path().string(), progress);
}

}  // namespace

std::string log_path(const std::string& folder, const std::string& job, const std::string& task) {
  return folder + "/" + job + (task.empty() ? "" : "-" + task) + ".log";
}
std::string script_path(const std::string& folder, const std::string& job) { return folder + "/" + job + ".sh"; }
std::string results_path(const std::string& folder, const std::string& job) { return folder + "/results-" + job; }

std::vector<std::string> results_of(const std::string& folder, const SubmittedJob& job) {
  const auto path = results_path(folder, job.name);
  if (job.tasks == 0) return {path};
  std::vector<std::string> paths;
  for (std::int64_t task = 1; task <= job.tasks; ++task) paths.push_back(path + "-" + std::to_string(task));
  return paths;
}

void write_submission(const std::string& folder, const Submission& submission) {
  Json jobs = Json::array();
  for (const auto& job : submission.jobs)
    jobs.push_back({{"name", job.name}, {"id", job.id}, {"launches", job.launches}, {"tasks", job.tasks}});
  const Json record{{"site", submission.site},
                    {"batch_system", submission.batch_system},
                    {"experiment", submission.experiment},
                    {"written_utc", submission.written_utc},
                    {"jobs", jobs},
                    {"results_command", submission.results_command},
                    {"is_collected", submission.is_collected},
                    {"collecting_id", submission.collecting_id},
                    {"price_per_gpu_hour", submission.price_per_gpu_hour},
                    {"price_unit", submission.price_unit}};
  replace_file(record_path(folder), record.dump(1) + "\n");
}

bool is_submission(const std::string& folder) {
  std::error_code unknown;
  return std::filesystem::exists(record_path(folder), unknown);
}

Submission read_submission(const std::string& folder) {
  const auto path = record_path(folder);
  try {
    const auto record = Json::parse(read_file(path, kMaxBytes));
    Submission submission;
    submission.site = record.at("site");
    submission.batch_system = record.at("batch_system");
    submission.experiment = record.at("experiment");
    submission.written_utc = record.at("written_utc");
    for (const auto& job : record.at("jobs"))
      submission.jobs.push_back({job.at("name"), job.at("id"), job.at("launches"), job.value("tasks", std::int64_t{0})});
    submission.results_command = record.value("results_command", submission.results_command);
    submission.is_collected = record.value("is_collected", false);
    submission.collecting_id = record.value("collecting_id", "");
    submission.price_per_gpu_hour = record.value("price_per_gpu_hour", 0.0);
    submission.price_unit = record.value("price_unit", "");
    return submission;
  } catch (const Error& error) {
    throw UsageError(shown(folder) + " is no folder that `ddpbench submit` made: " + shown(error.what(), 300));
  } catch (const Json::exception&) {
    throw UsageError(shown(path) + " is damaged: it is not what `ddpbench submit` wrote");
  }
}

std::string submit_job(const BatchSystem& system, const std::string& script, const std::vector<std::string>& after) {
  const auto command = system.submit(script, after);
  const auto run = asked(command);
  if (run.timed_out_s > 0)
    throw CannotRun(join(command, " ") + " " + how_it_ended(run) + ": the job may be queued all the same; look");
  if (!run.clean()) refused(command, run);
  const auto id = system.job_id(run.out);
  if (!id) throw CannotRun(join(command, " ") + " tells no job: it ended with 0 " + said_by(run));
  return *id;
}

std::string state_of_job(const BatchSystem& system, const std::string& id) {
  const auto command = system.state(id);
  const auto run = asked(command);
  if (run.clean()) return system.state_in(run.out);
  const auto says = [&run](const char* words) { return run.err.find(words) != std::string::npos; };
  if (!says("Invalid job id") && !says("Unknown Job")) refused(command, run);
  return "";
}

void cancel_job(const BatchSystem& system, const std::string& id) {
  const auto command = system.cancel(id);
  const auto run = asked(command);
  if (!run.clean()) refused(command, run);
}

std::vector<std::string> nodes_of(const BatchSystem& system) {
  if (system.nodes == nullptr) return {};
  try {
    const auto run = asked(system.nodes());
    return run.clean() ? split(run.out, '\n') : std::vector<std::string>{};
  } catch (const CannotRun&) {
    return {};
  }
}

JobProgress progress_of(const std::string& folder, const SubmittedJob& job) {
  JobProgress progress;
  for (const auto& results : results_of(folder, job)) add_progress(results, progress);
  return progress;
}

std::string progress_line(const std::string& results) {
  JobProgress progress;
  add_progress(results, progress);
  return std::to_string(progress.measured) + " " + std::to_string(progress.planned) + "\n";
}

}  // namespace ddpbench
