#include "suite/estimates/over_launches.hpp"

#include <cmath>

#include "suite/estimates/signed_rank.hpp"

namespace ddpbench {
namespace {

std::vector<double> locations(const LaunchPairs& launches) {
  std::vector<double> values;
  for (const auto& pairs : launches) values.push_back(hodges_lehmann(pairs).value);
  return values;
}

}  // namespace

Estimate location_over_launches(const LaunchPairs& launches, double confidence) {
  if (launches.size() != 1) return t_interval(locations(launches), confidence);
  auto found = hodges_lehmann(launches.front(), confidence);
  if (!std::isnan(found.lo) || found.n < kFewestPairs) return found;
  const auto by_mean = t_interval(launches.front(), confidence);
  found.lo = found.value - 0.5 * (by_mean.hi - by_mean.lo);
  found.hi = found.value + 0.5 * (by_mean.hi - by_mean.lo);
  return found;
}

}  // namespace ddpbench
