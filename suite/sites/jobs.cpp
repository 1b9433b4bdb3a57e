#include "suite/sites/jobs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/sites/batch_systems.hpp"

namespace ddpbench {
namespace {

// A launch's start: the program and Python from a shared file system, rendezvous, check, warm-up. An assumption, and said to be one.
constexpr double kStartSeconds = 30;
constexpr std::int64_t kSlackMinutes = 5;  // of a job, for its first start and its report

void add(const PlannedLaunch& launch, std::int64_t repetitions, Job& job, std::set<std::string>& cells) {
  const auto& spec = launch.spec;
  job.nodes = std::max(job.nodes, spec.nodes);
  job.node_ranks = std::max(job.node_ranks, spec.ranks_per_node);
  job.launches += static_cast<std::size_t>(repetitions);
  job.measuring_seconds += static_cast<double>(repetitions) * spec.protocol.max_seconds_per_launch;
  job.starting_seconds +=
      (static_cast<double>(repetitions) + static_cast<double>(launch.extra.size()) + static_cast<double>(launch.profiles)) *
      kStartSeconds;
  for (const auto& extra : launch.extra) {  // nobody knows how long a training takes: as long as a launch measures
    if (find_entry(purposes(), "purpose", extra.purpose).takes_all_arms)
      job.measuring_seconds += static_cast<double>(repetitions) * spec.protocol.max_seconds_per_launch;
  }
  job.longest_launch_seconds = std::max(job.longest_launch_seconds, spec.protocol.max_seconds_per_launch + kStartSeconds);
  cells.insert(spec.cell_id);
}

// The first task of an array has a launch of every cell, the later ones no more.
std::int64_t repetitions_in_job(const PlannedLaunch& launch, JobLayout layout) {
  if (layout != JobLayout::kArray) return launch.stands_for;
  return launch.spec.repetition == 0 ? 1 : 0;
}

std::vector<Job> jobs_of(const Plan& plan, JobLayout layout) {
  std::map<std::int64_t, std::pair<Job, std::set<std::string>>> by_nodes;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    auto& [job, cells] = by_nodes[layout == JobLayout::kPerNodeCount ? launch.spec.nodes : 0];
    if (layout == JobLayout::kArray) job.tasks = std::max(job.tasks, launch.spec.repetition + launch.stands_for);
    job.launches_of_all_tasks += launch.stands_for;
    const auto repetitions = repetitions_in_job(launch, layout);
    if (repetitions > 0) add(launch, repetitions, job, cells);
  }
  std::vector<Job> jobs;
  for (auto& [nodes, made] : by_nodes) {
    auto& [job, cells] = made;
    job.name = nodes == 0 ? "all" : "nodes-" + std::to_string(nodes);
    job.constraint = nodes == 0 ? "" : "nodes == " + std::to_string(nodes);
    job.cells = cells.size();
    if (job.tasks == 1) job.tasks = 0;  // PBS takes no array of one
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::int64_t needed_minutes(const Job& job) {
  return static_cast<std::int64_t>(std::ceil((job.measuring_seconds + job.starting_seconds) / 60)) + kSlackMinutes;
}

// Before the end of a job (slurm/templates): what runs then is stopped. Slurm may warn a minute earlier than it is asked to, sbatch(1).
constexpr double kWarningSeconds = 180;

// A part of a job that is shorter may never end a launch.
std::int64_t fewest_minutes(const Job& job) {
  return static_cast<std::int64_t>(std::ceil((job.longest_launch_seconds + kWarningSeconds) / 60));
}

// As many launches as surely end in a part, each time.
std::int64_t parts_of(const Job& job, std::int64_t needed_minutes) {
  if (job.minutes >= needed_minutes) return 1;
  const auto in_a_part = (60 * static_cast<double>(job.minutes) - kWarningSeconds) / job.longest_launch_seconds;
  const auto each = std::max<std::int64_t>(static_cast<std::int64_t>(in_a_part), 1);
  return (static_cast<std::int64_t>(job.launches) + each - 1) / each;
}

// 0: none.
std::int64_t most_minutes(const Site& site, const QualityOfService* quality) {
  std::int64_t hours = site.most_hours;
  if (quality != nullptr && quality->hours > 0) hours = hours == 0 ? quality->hours : std::min(hours, quality->hours);
  return 60 * hours;
}

bool takes(const QualityOfService& quality, const Job& job) { return quality.gpus == 0 || job.gpus <= quality.gpus; }

bool takes_whole(const Site& site, const QualityOfService& quality, const Job& job, std::int64_t minutes) {
  const auto most = most_minutes(site, &quality);
  return takes(quality, job) && (most == 0 || minutes <= most);
}

// The first that takes all of it at once; else the longest that takes its size.
const QualityOfService* chosen_quality(const Site& site, const Job& job, std::int64_t minutes) {
  const auto& all = site.qualities;
  const auto whole = std::find_if(all.begin(), all.end(), [&](const auto& one) { return takes_whole(site, one, job, minutes); });
  if (whole != all.end()) return &*whole;
  const auto length = [&site](const QualityOfService& one) {
    const auto most = most_minutes(site, &one);
    return most == 0 ? std::numeric_limits<std::int64_t>::max() : most;
  };
  const QualityOfService* longest = nullptr;
  for (const auto& one : all) {
    if (takes(one, job) && (longest == nullptr || length(one) > length(*longest))) longest = &one;
  }
  return longest;
}

class Fitter {
 public:
  Fitter(const Site& site, const JobRequest& request, std::vector<std::string>& refusals)
      : site_(site), request_(request), refusals_(refusals) {}

  void fit(Job& job) {
    job.gpus = job.nodes * site_.node_gpus;
    const auto needed = std::max(needed_minutes(job), fewest_minutes(job));
    const auto asked = request_.minutes.value_or(needed);
    const auto* quality = quality_for(job, asked);
    job.quality = quality == nullptr ? request_.quality : quality->name;
    const auto most = most_minutes(site_, quality);
    job.minutes = most == 0 ? asked : std::min(asked, most);
    job.parts = parts_of(job, needed);
    job.gpu_hours = static_cast<double>(std::max<std::int64_t>(job.tasks, 1) * job.parts * job.minutes * job.gpus) / 60;
    check_size(job);
    check_time(job, asked, most);
    check_launch(job);
  }

 private:
  // A site that lists none may have some all the same.
  const QualityOfService* quality_for(const Job& job, std::int64_t minutes) {
    const auto& system = find_entry(batch_systems(), "batch system", site_.batch_system);
    if (!request_.quality.empty() && system.quality_option.empty())
      throw UsageError("--qos " + request_.quality + ": " + std::string(system.name) +
                       " has none: give its own option, --batch-option");
    if (site_.qualities.empty()) return nullptr;
    if (!request_.quality.empty()) {
      const auto& wished = find_entry(site_.qualities, "quality of service", request_.quality);
      if (!takes(wished, job)) refuse_gpus(job, wished.name, wished.gpus);
      return &wished;
    }
    const auto* chosen = chosen_quality(site_, job, minutes);
    if (chosen == nullptr) {
      const auto largest = std::max_element(site_.qualities.begin(), site_.qualities.end(),
                                            [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
      refuse_gpus(job, largest->name, largest->gpus);
    }
    return chosen;
  }

  void refuse_gpus(const Job& job, const std::string& quality, std::int64_t gpus) {
    refusals_.push_back("job " + job.name + ": " + size_phrase(job) + "; " + quality + " allows " + counted(gpus, "GPU"));
  }

  void check_size(const Job& job) {
    if (site_.most_nodes > 0 && job.nodes > site_.most_nodes) {
      refusals_.push_back("job " + job.name + ": " + size_phrase(job) + "; the site allows " + counted(site_.most_nodes, "node"));
    }
  }

  void check_time(const Job& job, std::int64_t needed, std::int64_t most) {
    if (request_.minutes && most > 0 && needed > most) {
      refusals_.push_back("job " + job.name + ": --time " + time_text(needed) + "; " +
                          (job.quality.empty() ? "the site" : job.quality) + " allows " + time_text(most));
    }
  }

  void check_launch(const Job& job) {
    const auto fewest = fewest_minutes(job);
    if (job.minutes >= fewest) return;
    refusals_.push_back("job " + job.name + ": a launch may take " + time_text(fewest) +
                        " with its start and the warning before the end, the job ends after " + time_text(job.minutes) +
                        ": lower max_seconds_per_launch, or give more --time");
  }

  const Site& site_;
  const JobRequest& request_;
  std::vector<std::string>& refusals_;
};

void check_count(const JobPlan& plan, const Site& site, std::vector<std::string>& refusals) {
  for (const auto& quality : site.qualities) {
    std::int64_t of_it = 0;
    for (const auto& job : plan.jobs) of_it += job.quality == quality.name ? std::max<std::int64_t>(job.tasks, 1) : 0;
    if (quality.jobs > 0 && of_it > quality.jobs) {
      refusals.push_back(counted(of_it, "job") + " of " + quality.name + ", which allows " + std::to_string(quality.jobs) +
                         " at a time: `--jobs one` needs one");
    }
  }
}

}  // namespace

JobPlan plan_jobs(const Plan& plan, const Site& site, const JobRequest& request) {
  JobPlan planned{jobs_of(plan, request.layout), {}};
  Fitter fitter(site, request, planned.refusals);
  for (auto& job : planned.jobs) fitter.fit(job);
  check_count(planned, site, planned.refusals);
  return planned;
}

std::string size_phrase(const Job& job) {
  const auto gpus = job.gpus == 0 ? "" : ", " + counted(job.gpus, "GPU");
  return counted(job.nodes, "node") + gpus;
}

std::string time_text(std::int64_t minutes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%02lld:%02lld:00", static_cast<long long>(minutes / 60),
                static_cast<long long>(minutes % 60));
  return text.data();
}

}  // namespace ddpbench
