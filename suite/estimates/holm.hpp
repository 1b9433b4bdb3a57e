#pragma once
#include <span>
#include <vector>

namespace ddpbench {

// Adjusts p by Holm's step-down method (1979): with the p ascending, the largest of (m - j) p_j up to the i-th, at most 1. Where
// all below alpha are called different, any of the m is called so by chance with a probability of at most alpha, however they
// depend on each other. A NaN is no test: it stays, and does not count in m.
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace ddpbench
