#pragma once
#include <string>
#include <vector>

#include "suite/commands/experiment_choice.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"
#include "suite/purposes/collectives/collective_plan.hpp"
#include "suite/purposes/profile/profile_plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

inline constexpr const char* kRun = "run";  // the command of most jobs

// Says what the jobs of a submission do: one command of ddpbench, with the words that say what is measured. Where, from what and
// to where each script says.
struct JobWork {
  std::string name;                         // of the folder, and of the jobs
  std::string experiment;                   // the text of experiment.toml, whose path the command gets; "": it gets none
  std::string command = kRun;               // of ddpbench
  std::vector<std::string> options;         // behind the experiment
  Plan plan;                                // every launch of it
  std::vector<Installation> installations;  // whose workers train, each once
  std::vector<std::string> missing{};  // why this build can run none of it there, where another one could: the plan is that one's

  // Returns whether the command is `run`: then it may be cut into several jobs, looks at its nodes first, and its results are
  // joined.
  bool is_one_study() const;
  std::string results_command() const;  // of ddpbench: makes the page from its results
};

// Returns the work of `ddpbench run`, with a profile where one is asked for. Throws UsageError with every mistake, as the others do.
JobWork run_work(const Site& site, const ExperimentChoice& choice, const ProfileRequest& profile,
                 const Installation& installation);

// Holds `base` and `fresh` as `ddpbench compare` takes them. `once`: base is measured once.
struct ComparedPair {
  std::string base, fresh;
  bool once = false;
};

// Returns the work of `ddpbench compare`; its plan holds the launches of all sides.
JobWork compare_work(const Site& site, ExperimentChoice choice, const ComparedPair& pair);

// Returns the work of `ddpbench collectives`. `options`: those that `request` was read from. Where they name no number of nodes:
// two, for what is between them.
JobWork collectives_work(const Site& site, CollectivesRequest request, std::vector<std::string> options,
                         const Installation& installation);

}  // namespace ddpbench
