#include "suite/commands/submitted_jobs.hpp"

#include <iostream>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/registry.hpp"
#include "suite/plan/wording.hpp"
#include "suite/runs/submission.hpp"

namespace ddpbench {
namespace {

std::string state_words(const BatchSystem& system, const SubmittedJob& job) {
  if (job.id.empty()) return "not submitted";
  try {
    const auto state = state_of_job(system, job.id);
    return state.empty() ? "no longer known" : state;
  } catch (const CannotRun& error) {
    std::cerr << error.what() << "\n";
    return "not told";
  }
}

}  // namespace

ExitCode print_job_states(const std::string& folder) {
  const auto submission = read_submission(folder);
  const auto& system = find_entry(batch_systems(), "batch system", submission.batch_system);
  std::cout << "experiment " << submission.experiment << " on " << submission.site << ", written " << submission.written_utc
            << "\n"
            << padded("job", 14) << padded("id", 14) << padded("state", 16) << padded("finished", 12) << padded("failed", 8)
            << "results\n";
  for (const auto& job : submission.jobs) {
    const auto results = results_path(folder, job.name);
    const auto progress = progress_in(results);
    std::cout << padded(job.name, 14) << padded(job.id.empty() ? "-" : job.id, 14) << padded(state_words(system, job), 16)
              << padded(std::to_string(progress.finished) + " of " + std::to_string(job.launches), 12)
              << padded(std::to_string(progress.failed), 8) << results << "\n";
  }
  return ExitCode::kDone;
}

ExitCode cancel_jobs(const std::string& folder) {
  const auto submission = read_submission(folder);
  const auto& system = find_entry(batch_systems(), "batch system", submission.batch_system);
  std::vector<std::string> failures;
  for (const auto& job : submission.jobs) {
    if (job.id.empty()) {
      std::cout << "job " << job.name << " was not submitted by ddpbench: if you did, cancel it yourself\n";
      continue;
    }
    try {
      cancel_job(system, job.id);
      std::cout << "cancelled: job " << job.name << " (" << job.id << "); what it has measured stays\n";
    } catch (const CannotRun& error) {
      failures.emplace_back("job " + job.name + " (" + job.id + "): " + error.what());
    }
  }
  if (!failures.empty()) throw CannotRun("not cancelled: " + join(failures, "\n  "));
  return ExitCode::kDone;
}

}  // namespace ddpbench
