#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace ddpbench {

// Is the number of values from which the normal distribution takes the place of the exact one.
inline constexpr std::size_t kExactSignedRankBelow = 25;

// Returns P(T+ = s) of Wilcoxon's signed-rank statistic under the null, s from 0 to n(n+1)/2.
std::vector<double> signed_rank_distribution(std::size_t n);

// Returns the two-sided p of Wilcoxon's signed-rank test that the values lie symmetrically about 0. Leaves zeros out; n is what
// remains (Wilcoxon 1945; scipy's zero_method="wilcox"). Below n = 25 without ties among |x|, p is exact; else it is the normal
// approximation with the variance's tie correction and without a continuity correction (Hollander, Wolfe & Chicken 2014, 3.13). 1
// where all values are zero: nothing speaks against the null. NaN without values. Every x is finite.
double signed_rank_p(std::span<const double> x);

// Returns the one-sided p of the same test that the values lie symmetrically about `bound` or something smaller, against
// something larger. Leaves out values that equal `bound`; 1 where nothing remains.
double signed_rank_p_above(std::span<const double> x, double bound);

}  // namespace ddpbench
