#include "suite/estimates/holm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ddpbench {

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.begin(), p.end());
  double largest = 0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    largest = std::max(largest, static_cast<double>(order.size() - j) * p[order[j]]);
    adjusted[order[j]] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace ddpbench
