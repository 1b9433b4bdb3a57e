#include "suite/plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "suite/plan/cells.hpp"
#include "suite/plan/feasibility.hpp"
#include "suite/plan/launch_seed.hpp"
#include "suite/vocab/arm_name.hpp"
#include "suite/vocab/status.hpp"

namespace ddpbench {
namespace {

struct SkippedArm {
  std::string name;
  std::string reason;
};

struct Arms {
  std::vector<std::string> possible;
  std::vector<SkippedArm> skipped;
};

// A launch that stands in the plan with its reason and is never started.
void add_skipped(PlannedLaunch launch, const std::vector<std::string>& arms, std::string reason, Plan& plan) {
  launch.spec.arms = arms;
  launch.skip_reason = std::move(reason);
  plan.launches.push_back(std::move(launch));
}

class Planner {
 public:
  Planner(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability)
      : experiment_(experiment),
        vocabulary_(vocabulary),
        availability_(availability),
        cells_(make_cells(experiment, vocabulary)) {
    for (const auto& cell : cells_.kept) reasons_.push_back(reason_for(cell.spec));
  }

  Plan all() {
    Plan plan{.launches = {}, .cells = cells_.kept.size(), .dropped_by_constraints = cells_.dropped, .merged = cells_.merged};
    std::int64_t most = 0;
    for (const auto& cell : cells_.kept) most = std::max(most, cell.protocol.launches);
    for (std::int64_t repetition = 0; repetition < most; ++repetition) {
      for (const auto i : launch_order(cells_.kept.size(), experiment_.protocol.seed, repetition)) {
        if (repetition < cells_.kept[i].protocol.launches) add(i, repetition, plan);
      }
    }
    return plan;
  }

 private:
  std::string reason_for(const LaunchSpec& cell) const {
    auto reason = why_not_possible(cell, vocabulary_, availability_);
    const auto& arms = experiment_.arms;
    if (!reason.empty() || std::find(arms.begin(), arms.end(), kReferenceArm) == arms.end()) return reason;
    return why_arm_not_possible(kReferenceArm, cell, vocabulary_, availability_);
  }

  Arms sorted_arms(const LaunchSpec& cell) const {
    Arms arms;
    for (const auto& arm : experiment_.arms) {
      auto reason = why_arm_not_possible(arm, cell, vocabulary_, availability_);
      if (reason.empty()) {
        arms.possible.push_back(arm);
      } else {
        arms.skipped.push_back({arm, std::move(reason)});
      }
    }
    return arms;
  }

  void add(std::size_t index, std::int64_t repetition, Plan& plan) const {
    const auto& cell = cells_.kept[index];
    PlannedLaunch launch{.spec = cell.spec, .options = cell.options, .skip_reason = {}};
    launch.spec.repetition = repetition;
    launch.spec.launch_id = cell.spec.cell_id + "-r" + std::to_string(repetition);
    launch.spec.seed = launch_seed(cell.protocol.seed, cell.spec.cell_id, repetition);
    if (!reasons_[index].empty()) {
      add_skipped(std::move(launch), experiment_.arms, reasons_[index], plan);
      return;
    }
    auto arms = sorted_arms(cell.spec);
    for (const auto& arm : arms.skipped) {
      auto skipped = launch;
      skipped.spec.launch_id += "-" + file_safe(arm.name);
      add_skipped(std::move(skipped), {arm.name}, arm.reason, plan);
    }
    launch.spec.arms = std::move(arms.possible);
    plan.launches.push_back(std::move(launch));
  }

  const Experiment& experiment_;
  const Vocabulary& vocabulary_;
  const Availability& availability_;
  Cells cells_;
  std::vector<std::string> reasons_;
};

}  // namespace

Plan make_plan(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability) {
  return Planner(experiment, vocabulary, availability).all();
}

PlanRow to_row(const PlannedLaunch& launch, const std::string& command) {
  const auto& spec = launch.spec;
  PlanRow row{.launch_id = spec.launch_id,
              .cell_id = spec.cell_id,
              .workload = spec.workload,
              .strategy = spec.strategy,
              .backend = spec.backend,
              .precision = spec.precision,
              .nodes = spec.nodes,
              .ranks_per_node = spec.ranks_per_node,
              .devices_per_rank = spec.devices_per_rank,
              .batch_size_per_rank = spec.batch_size_per_rank,
              .options = launch.options,
              .arms = {},
              .repetition = spec.repetition,
              .seed = spec.seed,
              .status_planned = launch.skip_reason.empty() ? status::kPlanned : status::kSkipped,
              .skip_reason = launch.skip_reason,
              .command = command};
  for (const auto& arm : spec.arms) row.arms += (row.arms.empty() ? "" : " ") + arm;
  return row;
}

double expected_seconds(const Plan& plan) {
  double seconds = 0;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) seconds += launch.spec.max_seconds;
  }
  return seconds;
}

}  // namespace ddpbench
