#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// What several treatments (sizes, settings) attained, by repetition: each repetition runs each of them once, in an order of its own. That is a
// randomized complete block design (Montgomery, Design and Analysis of Experiments, 2017, 4.1): a value is that of its treatment, plus what its
// repetition drifted by, plus chance. Only repetitions show what a launch draws once: with one there is no interval.
//
// From kLaunchesForTheirOwnScatter (quantity.hpp) repetitions on each treatment, and each pair of them, is judged by its own scatter; with fewer by that of all
// treatments together.
class Repetitions {
 public:
  // By treatment: repetition -> value.
  explicit Repetitions(std::vector<std::map<std::int64_t, double>> values);

  // The mean of a treatment, as other repetitions would have it. n: its repetitions.
  Estimate level(std::size_t treatment, double confidence = kDefaultConfidence) const;

  // `treatment` less `other`, over the repetitions that both have: what drifts falls out. n: these.
  Estimate difference(std::size_t treatment, std::size_t other, double confidence = kDefaultConfidence) const;

  // One-sided, that the difference is at most `bound`, against more; NaN without an interval.
  double p_above(std::size_t treatment, std::size_t other, double bound = 0) const;

 private:
  struct Scatter {
    double variance = kNotMeasured;  // of one value, or one difference
    int degrees = 0;
  };
  std::vector<double> differences(std::size_t treatment, std::size_t other) const;
  Scatter of_levels(std::size_t treatment) const;
  Scatter of_differences(const std::vector<double>& differences) const;

  std::vector<std::map<std::int64_t, double>> values_;
  // Of all treatments together: of a value less those of its treatment and its repetition; and of a value of one treatment, which drifts
  // (the sum of both mean squares, its degrees of freedom by Satterthwaite, Biometrics Bulletin 2, 1946).
  Scatter residuals_, levels_;
};

}  // namespace ddpbench
