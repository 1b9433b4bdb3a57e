#pragma once
#include <string>
#include <vector>

#include "suite/commands/submit/job_work.hpp"
#include "suite/launch/installation.hpp"
#include "suite/sites/batch_systems.hpp"
#include "suite/sites/jobs.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Holds all that is known before anything is written.
struct ReadyJobs {
  Site site;
  JobWork work;
  JobPlan jobs;
  Installation installation;  // whose program the scripts call
  const BatchSystem& system;
  std::string idle{};  // "" or what of the site is asked for and not used
};

// Holds what the user adds.
struct ScriptRequest {
  std::string account, data;         // who pays; the folder of data sets, "" the site's
  std::vector<std::string> options;  // of the batch system
  bool is_unchecked = false;         // the job does not look at its nodes
};

// Holds a script as it is shown and written.
struct JobScript {
  std::string job, text;
};

// Returns what a job's script says behind --data, for the shell to read: the folder that was wished, else the site's; "" where no
// launch reads any, or where the usual places are looked at.
std::string data_of_jobs(const ReadyJobs& ready, const std::string& wished);

// Returns whether a small job behind the others makes the page: where the site has one, and there is more than one to be joined
// by it.
bool is_collected(const ReadyJobs& ready);

// Writes the scripts by job; behind them that of the collecting job. Throws as batch_script() and collecting_script() do.
std::vector<JobScript> scripts_of(const ReadyJobs& ready, const ScriptRequest& request, const std::string& folder);

}  // namespace ddpbench
