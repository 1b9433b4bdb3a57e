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
  std::int64_t launches = 0;  // of its plan
};

// What `ddpbench submit` made: a folder with the experiment, a script and a results folder for each job, and this as submission.json.
struct Submission {
  std::string site, batch_system, experiment, written_utc;
  std::vector<SubmittedJob> jobs;
};

std::string script_path(const std::string& folder, const std::string& job);
std::string results_path(const std::string& folder, const std::string& job);

// Appears whole, by rename.
void write_submission(const std::string& folder, const Submission& submission);

bool is_submission(const std::string& folder);

// Throws UsageError where the folder holds none.
Submission read_submission(const std::string& folder);

// Asks the batch system's own program. Each throws CannotRun with its words where it does not do it.
std::string submit_job(const BatchSystem& system, const std::string& script);
std::string state_of_job(const BatchSystem& system, const std::string& id);  // "": it is known no more
void cancel_job(const BatchSystem& system, const std::string& id);

// What a job's results folder holds by now.
struct JobProgress {
  std::int64_t finished = 0, failed = 0;  // launches
};
JobProgress progress_in(const std::string& results);

}  // namespace ddpbench
