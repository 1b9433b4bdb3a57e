#include "reports/estimates/over_launches.hpp"

#include "reports/estimates/signed_rank.hpp"

namespace ddpbench {
namespace {

std::vector<double> locations(const LaunchPairs& launches) {
  std::vector<double> values;
  for (const auto& pairs : launches) values.push_back(hodges_lehmann(pairs).value);
  return values;
}

}  // namespace

Estimate location_over_launches(const LaunchPairs& launches, double confidence) {
  return launches.size() == 1 ? hodges_lehmann(launches.front(), confidence) : t_interval(locations(launches), confidence);
}

}  // namespace ddpbench
