#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/base/interval_estimate.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/estimates/nonnegative_fit.hpp"

namespace ddpbench {

// How many messages of an all-reduce among p ranks wait for the one before: 2 (p - 1) in a ring (gloo's), 2 log2 p in a tree.
enum class CollectiveShape { kRing, kTree };

// Says how large a training is.
struct TrainingSize {
  std::int64_t nodes = 1, world_size = 1, batch_size_per_rank = 1;
};

// Holds what was measured at one size; seconds per step.
struct SizePoint {
  TrainingSize size;
  double step_s = kNotMeasured;                                      // of the slowest rank, mean
  double mean_useful_s = kNotMeasured, max_useful_s = kNotMeasured;  // over ranks; NaN where a device computes
};

// Holds a step at one size, and its parts.
struct SizePrediction {
  Estimate step_s;
  double compute_s = kNotMeasured, skew_s = kNotMeasured, exposed_s = kNotMeasured;
};

// Assumes that kPriorSizes further sizes were missed by this share, so that few measured sizes do not make an interval too
// narrow.
inline constexpr double kPriorMiss = 0.015;
inline constexpr int kPriorSizes = 3;  // how many such sizes

// Predicts a step as the sum of what is measured: the mean rank's compute c0 + c1 b over the batch b of a rank; what the slowest
// rank has more, σ times the largest of p normal variables (Blom 1958); and what of the communication is exposed, α h + β g of
// the α–β model (Hockney 1994; Thakur, Rabenseifner & Gropp 2005): h messages one after the other, g = 2 (p - 1) / p times the
// gradients, both within nodes and, where sizes on one node and on several were measured, among nodes. Each part is fitted to its
// own measurements, with as few terms as they bear; where a device computes, only the whole step is known, and compute and
// communication are fitted to that together. What is hidden behind compute at the measured sizes is taken as hidden at others.
//
// Its interval holds what every law of growth says that the measured sizes do not reject: communication may grow by the logarithm
// of the ranks (of several nodes: of the nodes), with the share of the gradients that moves, with the ranks, or with their 1.5th
// or second power (congestion). Each law is fitted as the model is, with that term in it; it is rejected where it misses the
// measured sizes by more squares than chance adds (t² of the variance). Of each Student's interval of the logarithm counts, with
// the leverage of the new size; the variance is what the best of them misses, as if kPriorSizes further sizes had been missed by
// kPriorMiss.
class SizeModel {
 public:
  // `points`: two or more sizes. `confidence`: of the interval.
  SizeModel(std::span<const SizePoint> points, CollectiveShape shape, double confidence);
  SizeModel(const SizeModel&) = delete;  // its terms are functions of it
  SizeModel& operator=(const SizeModel&) = delete;

  SizePrediction at(const TrainingSize& size) const;

  // Returns "" or why nothing can be said of the size: nothing was measured between nodes, or of how the batch matters.
  std::string why_not(const TrainingSize& size) const;

 private:
  using Terms = std::function<std::vector<double>(const TrainingSize&)>;
  struct Part {
    NonnegativeFit fit;
    Terms terms;
    double at(const TrainingSize& size) const { return fit.at(terms(size)); }
  };
  // The model, or another law of growth.
  struct Law {
    std::vector<Part> parts;
    double miss_squares = 0;  // of the logarithms, over the measured sizes
    int degrees = 0;
    double step_s(const TrainingSize& size) const;
    double leverage(const TrainingSize& size) const;
  };
  std::vector<double> compute_terms(const TrainingSize& size) const;
  std::vector<double> skew_terms(const TrainingSize& size) const;
  std::vector<double> exposed_terms(const TrainingSize& size) const;
  std::vector<double> whole_terms(const TrainingSize& size) const;
  Part fit(Terms terms, double (*measured)(const SizePoint&), std::optional<std::size_t> required = {}) const;
  Law law_of(std::vector<Part> parts) const;
  void add_law(double (*growth)(double among));
  double messages(std::int64_t ranks) const;

  std::vector<SizePoint> points_;
  CollectiveShape shape_;
  double confidence_;
  bool has_parts_ = false, has_batches_ = false, has_one_node_ = false, has_several_nodes_ = false, has_several_per_node_ = false;
  std::vector<Law> laws_;  // the model first
};

// Returns the mean of the largest of n independent normal variables, in standard deviations (Blom 1958); 0 for one.
double mean_of_largest(std::int64_t n);

}  // namespace ddpbench
