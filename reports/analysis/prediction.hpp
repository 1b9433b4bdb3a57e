#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/store/joined_folders.hpp"

namespace ddpbench {

// Holds what a reader wants to know of sizes that were not measured.
struct PredictionRequest {
  std::vector<std::int64_t> world_sizes;
  std::int64_t ranks_per_node = 0;  // 0: as the folder's largest
  std::string arm;                  // "": the loop by hand
  double price_per_gpu_hour = 0;    // 0: not known
  std::string price_unit{};
};

// Holds step time, samples per second, efficiency, hours and GPU-hours of a whole training at these sizes, with 95 % intervals,
// for each group of measured sizes, as a table for a person; and how well the model predicts the measured sizes from each other.
// `groups`: 0 where the folder has no two sizes of the arm. What cannot be predicted stands there with its reason.
struct Prediction {
  std::string text;
  std::size_t groups = 0, sizes = 0;  // sizes: that were predicted, in all groups
};
// Makes that table from the folders. Throws UsageError for an unknown arm.
Prediction predict(const JoinedFolders& folders, const PredictionRequest& request);

}  // namespace ddpbench
