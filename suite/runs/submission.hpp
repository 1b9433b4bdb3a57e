#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/sites/batch_systems.hpp"

namespace ddpbench {

// One job that was written for a batch system.
struct SubmittedJob {
  std::string name;           // "all", "nodes-4"
  std::string id;             // of the batch system; "": not submitted
  std::int64_t launches = 0;  // of its plan; all tasks together
  std::int64_t tasks = 0;     // of a job array; 0: it is none
};

// What `ddpbench submit` made: a folder with the experiment, a script and a results folder for each job, and this as submission.json.
struct Submission {
  std::string site, batch_system, experiment, written_utc;
  std::vector<SubmittedJob> jobs;
  std::string results_command =
      "report";                   // of ddpbench: makes the page of a job's results. "compare": its exit code is a verdict
  bool is_collected = false;      // by a job behind all others, which makes the report
  std::string collecting_id;      // of the batch system; "": not submitted
  double price_per_gpu_hour = 0;  // of the site; 0: not known
  std::string price_unit;
};

inline constexpr const char* kCollectingJob = "collect";
inline constexpr const char* kStudyReport = "report";  // its folder, in the submission's

std::string script_path(const std::string& folder, const std::string& job);
std::string log_path(const std::string& folder, const std::string& job, const std::string& task);  // task "": the job is no array

// Of a job; of a job array what stands before each task's "-NUMBER".
std::string results_path(const std::string& folder, const std::string& job);
std::vector<std::string> results_of(const std::string& folder, const SubmittedJob& job);  // by task

// Appears whole, by rename.
void write_submission(const std::string& folder, const Submission& submission);

bool is_submission(const std::string& folder);

// Throws UsageError where the folder holds none.
Submission read_submission(const std::string& folder);

// Asks the batch system's own program. Each throws CannotRun with its words where it does not do it.
// `after`: jobs that must have ended before.
std::string submit_job(const BatchSystem& system, const std::string& script, const std::vector<std::string>& after = {});
std::string state_of_job(const BatchSystem& system, const std::string& id);  // "": it is known no more
void cancel_job(const BatchSystem& system, const std::string& id);

// The names of its nodes; none where it is not at hand, or cannot tell.
std::vector<std::string> nodes_of(const BatchSystem& system);

// What a job's results folders hold by now: of `run`, of `compare` (a folder of each side's in it) or of `collectives`.
struct JobProgress {
  std::int64_t finished = 0, failed = 0;  // launches; what failed counts once, though an arm of it was measured
  std::int64_t measured = 0;              // of at least one arm
  std::int64_t planned = 0;
};
JobProgress progress_of(const std::string& folder, const SubmittedJob& job);

// Key of environment.json: how many launches a folder of `collectives` will have. It has no plan.csv.
inline constexpr const char* kPlannedCollectives = "planned_launches";

// "MEASURED PLANNED" of one results folder: what a job's script asks, by `ddpbench --progress FOLDER`.
inline constexpr const char* kProgressWord = "--progress";
std::string progress_line(const std::string& results);

}  // namespace ddpbench
