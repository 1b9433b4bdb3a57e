#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/analysis/tables/findings.hpp"
#include "suite/base/interval_estimate.hpp"

namespace ddpbench {

// Names the rows that are sums: of what an epoch takes, of all that a training takes to the end of its last epoch, and of all until
// the end of the first validation that shows the protocol's target_accuracy.
inline constexpr std::string_view kWholeEpoch = "epoch";
inline constexpr std::string_view kWholeTraining = "training";
inline constexpr std::string_view kToAccuracy = "to_accuracy";
inline bool is_sum(std::string_view part) { return part == kWholeEpoch || part == kWholeTraining || part == kToAccuracy; }

// Holds what a part of whole trainings takes in one arm, and what that is more than in its reference. Means over ranks, trainings
// and the epochs that have the part, then over launches, with Student's interval.
struct WholeTrainingRow {
  std::string cell_id, arm, reference;
  std::string part;      // "validation"; a sum: kWholeEpoch
  std::string call;      // of the part: "EarlyStopping.on_validation_end"; "": the part itself
  bool is_once = false;  // it is there once in a training, not in each epoch
  double ms = kNotMeasured;
  // Bounds are such that all of an arm's parts and growths hold their truth together in 95 % (Bonferroni); of the sums and the calls
  // each by itself. No value: it is the reference.
  Estimate extra_ms{};
  // By how much extra_ms grows from one epoch to the next: least squares over the epochs; without the first one, in which much is
  // done for the first time, but for what stands between epochs. No value: fewer than two such epochs.
  Estimate growth_ms{};
  std::int64_t launches = 0, epochs = 0;  // the most epochs of a training
};

// Holds what an arm's trainings came to, means over launches and trainings.
struct WholeTrainingResult {
  std::string cell_id, arm, reference;
  double steps = kNotMeasured;          // of an epoch
  double samples_per_s = kNotMeasured;  // of the steps of all epochs but the first, where there are several
  double validation_accuracy = kNotMeasured, test_accuracy = kNotMeasured;  // behind the last epoch
  std::int64_t epochs = 0, launches = 0;
};

// Holds both, cell by cell, arm by arm in the order of the experiment; nothing where nothing was trained whole.
struct WholeTrainings {
  std::vector<WholeTrainingRow> rows;
  std::vector<WholeTrainingResult> results;
};
template <>
WholeTrainings make_finding(const Findings& findings);

}  // namespace ddpbench
