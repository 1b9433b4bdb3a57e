#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace ddpbench {

// From so many values on the normal distribution takes the place of the exact one.
inline constexpr std::size_t kExactSignedRankBelow = 25;

// P(T+ = s) of Wilcoxon's signed-rank statistic under the null, s from 0 to n(n+1)/2.
std::vector<double> signed_rank_distribution(std::size_t n);

// Two-sided p of Wilcoxon's signed-rank test that the values lie symmetrically about 0. Zeros are left out, and n is what remains
// (Wilcoxon 1945; scipy's zero_method="wilcox"). Below n = 25 without ties among |x|, p is exact; else it is the normal
// approximation with the variance's tie correction and without a continuity correction (Hollander, Wolfe & Chicken 2014, 3.13).
// 1 where all values are zero: nothing speaks against the null. NaN without values. Every x is finite.
double signed_rank_p(std::span<const double> x);

// One-sided p of the same test that the values lie symmetrically about `bound` or something smaller, against something larger.
// Equal values of x and bound are left out; 1 where nothing remains.
double signed_rank_p_above(std::span<const double> x, double bound);

}  // namespace ddpbench
