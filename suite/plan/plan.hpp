#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

// Says what the target machine lacks, from `ddpbench-worker --probe` (or a site file): axis ("backend", "strategy", "precision",
// "workload", "arm", "feature") -> name -> why not; what holds for one device only stands under reason_kind ("precision on
// cuda"). A name that is not in it is available. `max_nodes` is what the launcher can start (0: no bound).
struct Availability {
  std::map<std::string, std::map<std::string, std::string>> why_not;
  std::int64_t max_nodes = 1;
  std::int64_t gpus = 0;  // of a node, that ranks can use
  std::string launcher = "local";
  std::string
      why_this_launcher{};  // where a job has nodes that it does not reach: "PBS job 7 has 2 nodes; pbsdsh is not in $PATH; …"
  std::string site{};       // whose file says max_nodes, where one does
  bool probed = false;
};

// Holds one launch of a plan, or a skip with its reason.
struct PlannedLaunch {
  LaunchSpec spec;                  // complete but for data and part_dir, which only a run knows
  std::string options;              // for the `options` column: "stem=imagenet;data=cifar"
  std::string skip_reason;          // not empty: not possible here
  std::string dataset{};            // that its ranks read ("cifar10"); empty where batches are made up
  std::int64_t stands_for = 1;      // launches that differ from it in repetition and seed only (PlanDepth::kFirstRepetition)
  std::vector<LaunchSpec> extra{};  // behind it, by purpose that is asked for (extra_where)
  bool on_gpus = false;             // its ranks occupy one each
  std::int64_t profiles = 0;        // launches of purpose `profile` that are to follow; who starts them says so
};

// Holds every launch of an experiment in the order in which it will be run: repetition by repetition, cells within each in an
// order drawn from the seed, so that no cell has all of its launches at one time of the day. An arm that is not possible here
// does not take its cell with it: it stands in a skipped launch of its own, beside the launch of the others. A reference takes
// its family with it.
struct Plan {
  std::vector<PlannedLaunch> launches;
  std::vector<ArmFacts> arms;  // every arm of the experiment
  std::size_t cells = 0;
  std::size_t dropped_by_constraints = 0;
  std::size_t merged = 0;  // differed only in an option that none of their entries has
};

// Bounds the launches; more are refused before they are made: they would take a gigabyte of memory here and years there.
inline constexpr std::int64_t kMaxLaunches = 500'000;

// Bounds launches times their arms: rows of runs.csv.
inline constexpr std::int64_t kMaxPlannedArms = 5'000'000;

// Says whether every launch is made, or one for all the repetitions of its cell: what `plan` prints of 100,000 cells needs no
// half million launches.
enum class PlanDepth { kEveryLaunch, kFirstRepetition };

// Returns the launch with these arms alone, which are some of its own, and the options that they have. `arms`: facts of all.
LaunchSpec with_arms(LaunchSpec spec, const std::vector<std::string>& names, const std::vector<ArmFacts>& arms,
                     const Vocabulary& vocabulary);

// Plans an experiment. Throws UsageError where the constraints leave no cell, a constraint divides by zero, swept protocol values
// contradict each other, or there are more than kMaxLaunches launches or kMaxPlannedArms arms of launches.
Plan make_plan(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability,
               PlanDepth depth = PlanDepth::kEveryLaunch);

// Returns the launch as a row of plan.csv. `command` starts it when it is pasted into a shell.
PlanRow to_row(const PlannedLaunch& launch, const std::string& command);

// Returns the measuring time of the planned launches, seconds: their time caps. Start-up is not in it, nor what min_super_blocks
// takes beyond a cap.
double expected_seconds(const Plan& plan);

}  // namespace ddpbench
