#pragma once
#include <cmath>

namespace ddpbench {

// The smallest count that a binomial variable exceeds with a probability of at most one in a thousand.
inline int binomial_bound(int n, double p) {
  double probability = std::pow(1 - p, n);
  double below = probability;
  int count = 0;
  while (below < 0.999) {
    probability *= static_cast<double>(n - count) / (count + 1) * p / (1 - p);
    below += probability;
    ++count;
  }
  return count;
}

}  // namespace ddpbench
