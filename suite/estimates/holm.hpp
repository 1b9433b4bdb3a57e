#pragma once
#include <span>
#include <vector>

namespace ddpbench {

// Holm's step-down adjustment (1979): with the p ascending, the largest of (m - j) p_j up to the i-th, at most 1. What stays below
// alpha is different with a probability of at most alpha that any one of the m is called so by chance, however they depend on each
// other. A NaN is no test: it stays, and does not count in m.
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace ddpbench
