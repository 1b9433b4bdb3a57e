#pragma once
#include <string>

#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// An arm against its reference, over all launches that have both. A wrapper's cost is an addition to a step whose length drifts and
// has a tail: its seconds are estimated from paired differences, not from the ratio times a typical step, which found 106 us of an
// injected 100. Estimates and p are those over launches (over_launches.hpp), block means combined by means.
struct Comparison {
  Estimate log_ratio, of_medians_s, of_means_s;
  double p = kNotMeasured;                 // of of_medians_s, which bears the verdict
  std::int64_t pairs = 0, launches = 0;    // where no launch has six pairs: those of the launch that has most
  double sigma_d = kNotMeasured;           // standard deviation of the log ratios, pooled over launches, each about its mean
  double affordable_pairs = kNotMeasured;  // what these launches would have had if each had used its cap
};

Comparison compare(const Cell& cell, const std::string& arm, Clock clock);

}  // namespace ddpbench
