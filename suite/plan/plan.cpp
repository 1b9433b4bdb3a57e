#include "suite/plan/plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/launch/resume_step.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/plan/cells.hpp"
#include "suite/plan/feasibility.hpp"
#include "suite/plan/launch_seed.hpp"
#include "suite/plan/option_rules.hpp"

namespace ddpbench {
namespace {

struct SkippedArm {
  std::string name;
  std::string reason;
};

// What is possible in cells of the same names (feasibility_key), whatever their sizes.
struct CellFeasibility {
  std::string skip_reason;  // of the whole cell
  std::vector<std::string> arms;
  std::vector<SkippedArm> skipped_arms;
};

class Planner {
 public:
  Planner(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability)
      : experiment_(experiment),
        vocabulary_(vocabulary),
        availability_(availability),
        arms_(arm_facts(vocabulary, experiment.arms)),
        cells_(make_cells(experiment, vocabulary, availability)) {
    for (const auto& cell : cells_.kept) {
      if (!wanted_arms(cell.unwanted).empty()) continue;
      throw UsageError(experiment.origin.path + ": arms_where leaves no arm in cell " + cell.spec.cell_id +
                       ": must leave a reference");
    }
  }

  Plan all(PlanDepth depth) {
    Plan plan{.launches = {},
              .arms = arms_,
              .cells = cells_.kept.size(),
              .dropped_by_constraints = cells_.dropped,
              .merged = cells_.merged};
    std::int64_t most = 1;
    for (const auto& cell : cells_.kept) most = std::max(most, cell.spec.protocol.launches);
    if (depth == PlanDepth::kFirstRepetition) most = 1;
    for (std::int64_t repetition = 0; repetition < most; ++repetition) {
      for (const auto i : launch_order(cells_.kept.size(), experiment_.protocol.seed, repetition)) {
        auto& cell = cells_.kept[i];
        if (repetition >= cell.spec.protocol.launches) continue;
        const bool is_last = repetition + 1 == std::min(most, cell.spec.protocol.launches);
        PlannedLaunch launch = is_last ? PlannedLaunch{std::move(cell.spec), std::move(cell.options), {}, {}, 1}
                                       : PlannedLaunch{cell.spec, cell.options, {}, {}, 1};
        if (depth == PlanDepth::kFirstRepetition) launch.stands_for = launch.spec.protocol.launches;
        launch.dataset = dataset_of(launch.spec);
        launch.on_gpus = occupies_gpus(vocabulary_, launch.spec.backend);
        launch.spec.own_code = experiment_.own_code;
        name(launch, repetition);
        add(std::move(launch), cell.unwanted, plan);
        for (const auto& purpose : cell.extra_for) add_extra(purpose, plan.launches.back());
      }
    }
    return plan;
  }

 private:
  static void name(PlannedLaunch& launch, std::int64_t repetition) {
    auto& spec = launch.spec;
    spec.repetition = repetition;
    spec.launch_id = spec.cell_id + "-r" + std::to_string(repetition);
    spec.seed = launch_seed(spec.protocol.seed, spec.cell_id, repetition);
  }

  std::string dataset_of(const LaunchSpec& spec) const {
    const auto& options = spec.options[OptionGroup::kWorkload];
    const auto data = options.find("data");
    const bool made_up = data != options.end() && data->second == "constant";
    return made_up ? "" : find_entry(vocabulary_.workloads, "workload", spec.workload).dataset;
  }

  // Asked once for all cells of the same names: there are few of these, and 100,000 cells.
  const CellFeasibility& outlook_for(const LaunchSpec& cell) {
    const auto [found, fresh] = outlooks_.try_emplace(feasibility_key(cell, vocabulary_));
    if (fresh) found->second = look_at(cell);
    return found->second;
  }
  CellFeasibility look_at(const LaunchSpec& cell) const {
    CellFeasibility outlook{why_names_not_possible(cell, vocabulary_, availability_), {}, {}};
    for (const auto& arm : arms_) {
      auto reason = why_arm_not_possible(arm.name, cell, vocabulary_, availability_);
      if (reason.empty()) reason = why_no_reference(arm, cell);
      if (reason.empty()) {
        outlook.arms.push_back(arm.name);
      } else {
        outlook.skipped_arms.push_back({arm.name, std::move(reason)});
      }
    }
    return outlook;
  }
  std::string why_no_reference(const ArmFacts& arm, const LaunchSpec& cell) const {
    if (arm.is_reference()) return "";
    const auto reason = why_arm_not_possible(arm.reference, cell, vocabulary_, availability_);
    return reason.empty() ? "" : "its reference is not possible: " + reason;
  }
  // False where the cell is not to have the arm, or its reference.
  bool is_wanted(const std::string& arm, const std::vector<std::string>& unwanted) const {
    return unwanted.empty() || (!holds(unwanted, arm) && !holds(unwanted, find_arm(arms_, arm).reference));
  }
  std::vector<std::string> wanted_arms(const std::vector<std::string>& unwanted) const {
    auto arms = experiment_.arms;
    std::erase_if(arms, [&](const auto& arm) { return !is_wanted(arm, unwanted); });
    return arms;
  }
  CellFeasibility wanted_part(const CellFeasibility& outlook, const std::vector<std::string>& unwanted) const {
    auto part = outlook;
    std::erase_if(part.arms, [&](const auto& arm) { return !is_wanted(arm, unwanted); });
    std::erase_if(part.skipped_arms, [&](const auto& arm) { return !is_wanted(arm.name, unwanted); });
    return part;
  }
  // Without any reference no arm is left; why the first one is not possible.
  std::string why_nothing_is_left(const CellFeasibility& outlook) const {
    if (!outlook.arms.empty()) return "";
    for (const auto& skipped : outlook.skipped_arms) {
      if (find_arm(arms_, skipped.name).is_reference()) return skipped.reason;
    }
    return outlook.skipped_arms.empty() ? "" : outlook.skipped_arms.front().reason;
  }

  // Behind the launch, where it is possible.
  void add_extra(const std::string& purpose, PlannedLaunch& launch) const {
    if (!launch.skip_reason.empty()) return;
    if (find_entry(purposes(), "purpose", purpose).takes_all_arms) {
      add_extra(purpose, arms_that_train_whole(launch), launch);
    } else if (launch.spec.repetition == 0) {
      for (const auto& arm : launch.spec.arms) {
        if (!find_arm(arms_, arm).is_control()) add_extra(purpose, {arm}, launch);  // else it is the reference's code
      }
    }
  }
  void add_extra(const std::string& purpose, const std::vector<std::string>& arms, PlannedLaunch& launch) const {
    launch.extra.push_back(with_arms(launch.spec, arms, arms_, vocabulary_));
    launch.extra.back().purpose = purpose;
  }
  std::vector<std::string> arms_that_train_whole(const PlannedLaunch& launch) const {
    const auto where = experiment_.origin.path + ": training_where, cell " + launch.spec.cell_id + ": ";
    if (launch.dataset.empty())
      throw UsageError(where + "a whole training needs images of a data set, which this cell has not: leave it out, or set data");
    auto arms = launch.spec.arms;
    std::erase_if(arms, [&](const auto& name) {
      const auto& arm = find_arm(arms_, name);
      return arm.role == ArmRole::kProbe || !find_entry(vocabulary_.arms, "arm", arm.base).trains_whole;
    });
    for (const auto& name : arms) require_that_it_resumes(find_arm(arms_, name), where);
    if (arms.empty()) {
      std::vector<std::string> able;
      for (const auto& entry : vocabulary_.arms) {
        if (entry.trains_whole) able.push_back(entry.name);
      }
      throw UsageError(where + "none of its arms trains whole: must be one of " + join(able, ", "));
    }
    return arms;
  }
  void require_that_it_resumes(const ArmFacts& arm, const std::string& where) const {
    try {
      resume_step(arm, experiment_.protocol.epochs, experiment_.protocol.epoch_steps);
    } catch (const UsageError& error) {
      throw UsageError(where + error.what());
    }
  }
  // A launch that is not possible stands in the plan with its reason and is never started.
  void add(PlannedLaunch launch, const std::vector<std::string>& unwanted, Plan& plan) {
    const auto outlook = wanted_part(outlook_for(launch.spec), unwanted);
    launch.skip_reason = outlook.skip_reason;
    if (launch.skip_reason.empty()) launch.skip_reason = why_sizes_not_possible(launch.spec, vocabulary_, availability_);
    if (launch.skip_reason.empty()) launch.skip_reason = why_nothing_is_left(outlook);
    const auto arms = launch.skip_reason.empty() ? outlook.arms : wanted_arms(unwanted);
    launch.spec.arms = arms;
    if (launch.skip_reason.empty()) add_skipped_arms(launch, outlook, plan);
    launch.spec = with_arms(std::move(launch.spec), arms, arms_, vocabulary_);
    plan.launches.push_back(std::move(launch));
  }
  static void add_skipped_arms(const PlannedLaunch& launch, const CellFeasibility& outlook, Plan& plan) {
    for (const auto& arm : outlook.skipped_arms) {
      auto skipped = launch;
      skipped.spec.launch_id += "-" + file_safe(arm.name);
      skipped.spec.arms = {arm.name};
      skipped.skip_reason = arm.reason;
      plan.launches.push_back(std::move(skipped));
    }
  }

  const Experiment& experiment_;
  const Vocabulary& vocabulary_;
  const Availability& availability_;
  std::vector<ArmFacts> arms_;
  Cells cells_;
  std::unordered_map<std::string, CellFeasibility> outlooks_;
};

}  // namespace

// The experiment's arms may have options that none of these has.
LaunchSpec with_arms(LaunchSpec spec, const std::vector<std::string>& names, const std::vector<ArmFacts>& arms,
                     const Vocabulary& vocabulary) {
  spec.arms = names;
  auto& options = spec.options[OptionGroup::kTrainer];
  if (options.empty()) return spec;
  std::vector<std::string> bases;
  for (const auto& arm : names) bases.push_back(find_arm(arms, arm).base);
  const OptionRules rules(views_of(vocabulary.arms), bases);
  Options::Map kept;
  for (const auto& [name, value] : options) {
    if (!rules.rules(name).empty()) kept[name] = value;
  }
  if (kept.size() < static_cast<const Options::Map&>(options).size()) options = kept;
  return spec;
}

Plan make_plan(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability, PlanDepth depth) {
  return Planner(experiment, vocabulary, availability).all(depth);
}

PlanRow to_row(const PlannedLaunch& launch, const std::string& command) {
  const auto& spec = launch.spec;
  PlanRow row;
  row.axes() = spec.axes();
  row.launch_id = spec.launch_id;
  row.cell_id = spec.cell_id;
  row.options = launch.options;
  row.repetition = spec.repetition;
  row.seed = spec.seed;
  row.status_planned = launch.skip_reason.empty() ? status::kPlanned : status::kSkipped;
  row.skip_reason = launch.skip_reason;
  row.command = command;
  for (const auto& arm : spec.arms) row.arms += (row.arms.empty() ? "" : " ") + arm;
  return row;
}

double expected_seconds(const Plan& plan) {
  double seconds = 0;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty())
      seconds += static_cast<double>(launch.stands_for) * launch.spec.protocol.max_seconds_per_launch;
  }
  return seconds;
}

}  // namespace ddpbench
