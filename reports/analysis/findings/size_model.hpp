#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/estimates/nonnegative_fit.hpp"
#include "suite/base/not_measured.hpp"

namespace ddpbench {

// How many messages follow each other in an all-reduce among p ranks: of a ring 2 (p - 1) (gloo's), of a tree 2 log2 p.
enum class CollectiveShape { kRing, kTree };

// How large a training is.
struct TrainingSize {
  std::int64_t nodes = 1, world_size = 1, batch_size_per_rank = 1;
};

// What was measured at one size; seconds per step.
struct SizePoint {
  TrainingSize size;
  double step_s = kNotMeasured;                                      // of the slowest rank, mean
  double mean_useful_s = kNotMeasured, max_useful_s = kNotMeasured;  // over ranks; NaN where a device computes
};

// A step at one size, and its parts.
struct SizePrediction {
  double step_s = kNotMeasured, lo = kNotMeasured, hi = kNotMeasured;
  double compute_s = kNotMeasured, skew_s = kNotMeasured, exposed_s = kNotMeasured;
};

// A step as the sum of what is measured: the mean rank's compute c0 + c1 b over the batch b of a rank; what the slowest rank has more, σ times
// the largest of p normal variables (Blom 1958); and what of the communication is exposed, α h + β g of the α–β model (Hockney 1994; Thakur,
// Rabenseifner & Gropp 2005): h messages one after the other, g = 2 (p - 1) / p times the gradients, both within nodes and, where sizes
// on one node and on several were measured, among nodes. Each part is fitted to its own measurements, with as few terms as they bear; where
// a device computes, only the whole step is known, and compute and communication are fitted to that together. What is hidden behind compute at
// the measured sizes is taken as hidden at others.
//
// Its interval: Student's, of the logarithm, from what the model misses at the measured sizes, as if kPriorSizes further ones had been missed by
// kPriorMiss, with the leverage of the new size.
inline constexpr double kPriorMiss = 0.05;  // what such models miss elsewhere: reports/README.md, "Prediction"
inline constexpr int kPriorSizes = 4;

class SizeModel {
 public:
  // `points`: two or more sizes. `confidence`: of the interval.
  SizeModel(std::span<const SizePoint> points, CollectiveShape shape, double confidence);

  SizePrediction at(const TrainingSize& size) const;

  // "" or why nothing can be said of the size: nothing was measured between nodes, or of how the batch matters.
  std::string why_not(const TrainingSize& size) const;

 private:
  struct Part {
    NonnegativeFit fit;
    std::vector<double> (SizeModel::*terms)(const TrainingSize&) const;
  };
  std::vector<double> compute_terms(const TrainingSize& size) const;
  std::vector<double> skew_terms(const TrainingSize& size) const;
  std::vector<double> exposed_terms(const TrainingSize& size) const;
  std::vector<double> whole_terms(const TrainingSize& size) const;
  Part fit(std::vector<double> (SizeModel::*terms)(const TrainingSize&) const, double (*measured)(const SizePoint&)) const;
  double messages(std::int64_t ranks) const;
  double value(const Part& part, const TrainingSize& size) const { return part.fit.at((this->*part.terms)(size)); }

  std::vector<SizePoint> points_;
  CollectiveShape shape_;
  double confidence_;
  bool has_parts_ = false, has_batches_ = false, has_one_node_ = false, has_several_nodes_ = false, has_several_per_node_ = false;
  std::vector<Part> parts_;
  double miss_squares_ = 0;
  int degrees_ = 0;
};

// Of the largest of n independent normal variables the mean, in standard deviations (Blom 1958); 0 of one.
double mean_of_largest(std::int64_t n);

}  // namespace ddpbench
