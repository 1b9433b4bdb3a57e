#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/sizes/efficiency.hpp"
#include "reports/analysis/findings/sizes/size_model.hpp"
#include "reports/analysis/phrases/prediction_phrases.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

// Holds the cells of one arm that differ in the number of ranks alone, as scaling.csv groups them (mode, reference cell).
struct SizeGroup {
  const ScalingRow* smallest = nullptr;
  std::vector<const ScalingRow*> rows;    // sizes ascending
  std::vector<SizePoint> points;          // of the rows, in their order
  std::int64_t ranks_per_node = 1;        // the most of any row
  std::int64_t micro_batches = 1;         // ArmFacts::micro_batches of the arm
  bool on_gpus = false, is_ring = false;  // its backend's facts
  std::int64_t epoch_samples = 0;         // of its workload (training_cost.hpp)

  // Returns that size of the group; `wanted_ranks_per_node` 0: as the group has them. `why_not` says where no whole number of
  // nodes, or no whole batch, makes it.
  TrainingSize size_of(std::int64_t world_size, std::int64_t wanted_ranks_per_node, std::string& why_not) const;
};

// Returns the groups of two sizes and more. `efficiency` gives the parts of their steps; a row without one has its whole step
// alone. `arms`: of the rows; `tables`: with their backends.
std::vector<SizeGroup> size_groups(const std::vector<ScalingRow>& scaling, const std::vector<EfficiencyRow>& efficiency,
                                   const std::vector<ArmFacts>& arms, const Vocabulary& tables);

// Fits the model to `points` of the group, with the collective shape of its backend.
SizeModel model_of(const SizeGroup& group, std::span<const SizePoint> points);

// Holds a size that was measured, predicted from the other sizes of its group: what was fitted says nothing of how well it
// predicts.
struct HeldOutRow {
  std::string cell_id, arm, mode, reference_cell;
  std::int64_t nodes = 1, world_size = 1, sizes = 0;  // sizes: that the model was made of
  double step_ms = kNotMeasured;                      // measured
  Estimate predicted_ms;
  double compute_ms = kNotMeasured, skew_ms = kNotMeasured, exposed_ms = kNotMeasured;  // of the prediction
  double error_percent = kNotMeasured;                                                  // predicted over measured, less 1
  bool is_inside = false;                                                               // its interval
  std::string reason;                                                                   // why it was not predicted
};

// Groups with fewer sizes are not predicted.
inline constexpr std::size_t kSizesToHoldOneOut = 3;
// Predicts each size of every such group from the group's others.
std::vector<HeldOutRow> held_out_rows(const std::vector<SizeGroup>& groups);

// Scores those that were predicted.
HeldOutScore score_of(const std::vector<HeldOutRow>& rows);

}  // namespace ddpbench
