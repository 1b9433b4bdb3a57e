#pragma once
#include <cstddef>
#include <span>

#include "suite/base/interval_estimate.hpp"

namespace ddpbench {

// Is the confidence of every interval that names no other.
inline constexpr double kDefaultConfidence = 0.95;

// Returns the confidence of each of `several` intervals that shall all hold their truth with `confidence` (Bonferroni): then it
// does not matter which of them is told because of what was found.
constexpr double bonferroni_confidence(double confidence, std::size_t several) {
  return several < 2 ? confidence : 1 - (1 - confidence) / static_cast<double>(several);
}

// Is the fewest pairs that bear a 95 % interval: 2 / 2^5 > 0.05.
inline constexpr std::size_t kFewestPairs = 6;

// Returns the median of the Walsh averages (x_i + x_j) / 2, i <= j (Hodges & Lehmann 1963), with the interval that inverts the
// Wilcoxon signed-rank test: [W_(K), W_(M-K+1)] of the M = n(n+1)/2 ordered averages (Hollander, Wolfe & Chicken 2014, 3.5 and
// 3.51). Below n = 25, K is the largest with P(T+ <= K-1) <= (1 - confidence)/2 in the exact null distribution; above, K =
// floor(n(n+1)/4 - z sqrt(n(n+1)(2n+1)/24)). Gives bounds from six values. Every x is finite.
Estimate hodges_lehmann(std::span<const double> x, double confidence = kDefaultConfidence);

// Returns the same value alone, in a third of the time; NaN for none.
double hodges_lehmann_value(std::span<const double> x);

// Returns the mean with Student's t-interval; gives bounds from two values.
Estimate t_interval(std::span<const double> x, double confidence = kDefaultConfidence);

// Returns the two-sided p of the one-sample t-test that the mean is 0. Without any scatter 1 where the mean is 0, else 0. NaN:
// fewer than two values.
double t_test_p(std::span<const double> x);

// Is the number of events from which their cost gets bounds.
inline constexpr std::size_t kFewestEvents = 30;

// Returns the cost per step of work that is done every n-th step (`every`): the mean of its events over n, in the unit of the
// events, with its t-interval. Such work is switched off inside blocks and timed as events, for a block's value cannot show it: a
// median never does, and where n and a block's length share a divisor the work may always fall on the discarded step.
Estimate event_cost_per_step(std::span<const double> events, double every, double confidence = kDefaultConfidence);

// Adds two independent estimates; combines the distances of their bounds by root of squares (MOVER, Zou & Donner 2008). n is the
// smaller one.
Estimate sum_of(const Estimate& a, const Estimate& b);

// Returns a saving as its size where all of the estimate is below 0, else the estimate as it is.
Estimate without_sign(const Estimate& a);

// Divides `a` by an independent quantity that is 1, known to within `error` (half the width of its interval; taken as 0.9 at
// most): MOVER-R (Donner & Zou, Statistical Methods in Medical Research 21, 2012). A bound of `a` that is 0 stays 0.
Estimate ratio_to_one(const Estimate& a, double error);

// Interpolates linearly between order statistics (Hyndman & Fan 1996, type 7) of ascending values; q from 0 to 1.
double quantile_of_sorted(std::span<const double> ascending, double q);

// Returns whether `n` values bear the quantile: with 95 % probability one of them lies beyond it, and a median takes six. So 6
// for the median, 59 for the 95th and 299 for the 99th percentile. The smallest and the largest value are themselves, whatever n.
bool bears_quantile(std::size_t n, double q);

}  // namespace ddpbench
