#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Estimates what several treatments (sizes, settings) attained, by repetition: each repetition runs each of them once, in an
// order of its own. That is a randomized complete block design (Montgomery, Design and Analysis of Experiments, 2017, 4.1): a
// value is that of its treatment, plus what its repetition drifted by, plus chance. Only repetitions show what a launch draws
// once: with one there is no interval.
// From kLaunchesForTheirOwnScatter (quantity.hpp) repetitions on each treatment, and each pair of them, is judged by its own
// scatter; with fewer by that of all treatments with two and more together, taken to be equal. Two that have no repetition in
// common (they ran in jobs of their own) are compared as independent ones (Welch, Biometrika 34, 1947).
class Repetitions {
 public:
  // Takes the values by treatment: repetition -> value.
  explicit Repetitions(std::vector<std::map<std::int64_t, double>> values);

  // Returns a treatment's mean, as other repetitions would have it. n: its repetitions.
  Estimate level(std::size_t treatment, double confidence = kDefaultConfidence) const;

  // Returns `treatment` less `other`, over the repetitions that both have: what drifts falls out. n: these; without any, those of
  // the shorter one.
  Estimate difference(std::size_t treatment, std::size_t other, double confidence = kDefaultConfidence) const;

  // Returns the one-sided p that the difference is at most `bound`, against more; NaN without an interval.
  double p_above(std::size_t treatment, std::size_t other, double bound = 0) const;

 private:
  struct Scatter {
    double variance = kNotMeasured;  // of one value
    int degrees = 0;
  };
  struct Mean {
    double value = kNotMeasured, error = kNotMeasured;
    int degrees = 0;  // of the error
    std::size_t n = 0;
    Estimate estimate(double confidence) const;
  };
  Mean mean_of(std::size_t treatment) const;
  Mean mean_difference(std::size_t treatment, std::size_t other) const;
  Mean difference_of_means(std::size_t treatment, std::size_t other) const;

  std::vector<std::map<std::int64_t, double>> values_;
  // Of all treatments together: of a value less those of its treatment and its repetition; and of a value of one treatment, which
  // drifts (the sum of both mean squares, its degrees of freedom by Satterthwaite, Biometrics Bulletin 2, 1946).
  Scatter residuals_, levels_;
};

}  // namespace ddpbench
