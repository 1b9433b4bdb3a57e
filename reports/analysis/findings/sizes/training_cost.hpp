#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// The usual recipe of a ResNet: a yardstick for every workload.
inline constexpr std::int64_t kTrainingEpochs = 90;
inline constexpr std::int64_t kCifarSamples = 50'000;  // in the training set of CIFAR-10 and of CIFAR-100

// Returns the samples of an epoch of a workload: those of its training set; of one that reads none, kCifarSamples.
std::int64_t epoch_samples(const Vocabulary& tables, std::string_view workload);

// Returns the hours that kTrainingEpochs epochs take at a throughput.
double training_hours(std::int64_t epoch_samples, double samples_per_s);

// Returns what the sizes of a row's group have in common: "resnet50_cifar10, nccl, fp32, batch 32 per rank (raw)".
std::string group_phrase(const ScalingRow& row);

// Holds what a whole training would take at one size, at the throughput that was measured there, without validation and start.
struct TrainingCostRow {
  std::string cell_id, arm, mode, reference_cell;
  std::int64_t nodes = 1, world_size = 1, devices = 1, global_batch_size = 0, epoch_samples = 0;
  Estimate hours;
  Estimate device_hours;
  // Than the size of the same group that needs fewest; bounds by those of both speed-ups, as if they were independent.
  Estimate more_device_hours_percent;
  bool is_faster = true;  // than every smaller size of its group, beyond chance: what it costs more buys time
  bool is_tested = true;  // or is the smallest
  std::int64_t launches = 0;
};

// Makes the rows of every arm and group of scaling.csv that has several sizes with a throughput; by group, sizes ascending.
std::vector<TrainingCostRow> training_cost_rows(const std::vector<ScalingRow>& scaling, const Vocabulary& tables);

// Holds what a reader would have the sizes judged by.
struct TrainingCostRequest {
  double deadline_hours = kNotMeasured;  // of the whole training; not a number: none
  double price_per_gpu_hour = 0;         // 0: not known
  std::string price_unit{};              // "EUR"
};

// Answers how many ranks to use, in a few sentences for each group of `arm`, with times and their intervals; of sizes that ran in
// one launch no more than what was seen. At most `most` groups, those of the most sizes first. A deadline is met by a size whose
// interval ends before it.
std::vector<std::string> size_sentences(const std::vector<ScalingRow>& scaling, const std::string& arm, std::size_t most,
                                        const Vocabulary& tables, const TrainingCostRequest& request = {});

}  // namespace ddpbench
