#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/plan/plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Says how a plan is cut into jobs. One: all sizes in one allocation, on the same nodes, under the same noise. Per node count:
// small jobs wait less, and their sizes compare the worse. Array: a job for each repetition, each with all sizes: launches on
// other nodes and at another time tell more of the cluster, and several wait at once.
enum class JobLayout { kOne, kPerNodeCount, kArray };

// Holds what the user asks of the jobs.
struct JobRequest {
  JobLayout layout = JobLayout::kOne;
  std::string quality;                  // "": the first of the site's that takes the job
  std::optional<std::int64_t> minutes;  // nothing: what the plan needs, as far as the site allows
};

// Describes one job, or one job array.
struct Job {
  std::string name;        // "all", "nodes-4"
  std::string constraint;  // that keeps its cells: "nodes == 4"; "": all
  std::int64_t nodes = 1;
  std::int64_t node_ranks = 1;  // the most that one of its cells has
  std::int64_t gpus = 0;        // of all nodes
  std::int64_t launches_of_all_tasks = 0;
  std::int64_t tasks = 0;  // of a job array; what follows is of each, or of the one that has most. 0: it is none
  std::size_t cells = 0, launches = 0;
  double measuring_seconds = 0;  // the launches' caps
  double starting_seconds = 0;
  double longest_launch_seconds = 0;  // from its start to its commit
  std::int64_t minutes = 0;           // asked for
  std::int64_t parts = 1;             // how often it may have to begin, each time with so many minutes: it goes on where it was
  double gpu_hours = 0;               // of all that is asked for, all tasks together: at most
  std::string quality;
};

// Holds the jobs of a plan, and why they may not be submitted.
struct JobPlan {
  std::vector<Job> jobs;
  std::vector<std::string> refusals;  // by the site's limits; with any of them nothing may be submitted
};

// Cuts the plan's launches that are possible there into jobs.
JobPlan plan_jobs(const Plan& plan, const Site& site, const JobRequest& request);

// Returns what a person reads of a job's size: "4 nodes, 16 GPUs".
std::string size_phrase(const Job& job);

// Writes minutes as "01:30:00".
std::string time_text(std::int64_t minutes);

}  // namespace ddpbench
