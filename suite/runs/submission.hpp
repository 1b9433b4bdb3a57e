#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/sites/batch_systems.hpp"

namespace ddpbench {

// Holds one job that was written for a batch system.
struct SubmittedJob {
  std::string name;           // "all", "nodes-4"
  std::string id;             // of the batch system; "": not submitted
  std::int64_t launches = 0;  // of its plan; all tasks together
  std::int64_t tasks = 0;     // of a job array; 0: it is none
};

// Holds what `ddpbench submit` made: a folder with the experiment, a script and a results folder for each job, and this as
// submission.json.
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

inline constexpr const char* kCollectingJob = "collect";  // the name of the job that makes the report
inline constexpr const char* kStudyReport = "report";     // its folder, in the submission's

// Returns the path of a job's script, or of its log, in the submission's folder.
std::string script_path(const std::string& folder, const std::string& job);
std::string log_path(const std::string& folder, const std::string& job, const std::string& task);  // task "": the job is no array

// Returns a job's results folder; of a job array what stands before each task's "-NUMBER".
std::string results_path(const std::string& folder, const std::string& job);

// Returns every results folder of a job; of a job array by task.
std::vector<std::string> results_of(const std::string& folder, const SubmittedJob& job);

// Writes submission.json. It appears whole, by rename.
void write_submission(const std::string& folder, const Submission& submission);

// Returns whether the folder holds a submission.json.
bool is_submission(const std::string& folder);

// Reads it. Throws UsageError where the folder holds none.
Submission read_submission(const std::string& folder);

// Asks the batch system's own program to take, describe or end a job. Each throws CannotRun with its words where it does not do
// it. Returns the job's id. `after`: jobs that must have ended before.
std::string submit_job(const BatchSystem& system, const std::string& script, const std::vector<std::string>& after = {});
std::string state_of_job(const BatchSystem& system, const std::string& id);  // "": it is known no more
void cancel_job(const BatchSystem& system, const std::string& id);           // throws CannotRun likewise

// Returns the names of its nodes; none where it is not at hand, or cannot tell.
std::vector<std::string> nodes_of(const BatchSystem& system);

// Counts what a job's results folders hold by now: of `run`, of `compare` (a folder of each side's in it) or of `collectives`.
struct JobProgress {
  std::int64_t finished = 0, failed = 0;  // launches; what failed counts once, though an arm of it was measured
  std::int64_t measured = 0;              // of at least one arm
  std::int64_t planned = 0;
};

// Adds up the progress in all results folders of a job of the submission in `folder`.
JobProgress progress_of(const std::string& folder, const SubmittedJob& job);

// Is the key of environment.json that says how many launches a folder of `collectives` will have. It has no plan.csv.
inline constexpr const char* kPlannedCollectives = "planned_launches";

// Is the word by which a job's script asks for the progress line of one results folder: `ddpbench --progress FOLDER`.
inline constexpr const char* kProgressWord = "--progress";

// Returns "MEASURED PLANNED\n" of one results folder.
std::string progress_line(const std::string& results);

}  // namespace ddpbench
