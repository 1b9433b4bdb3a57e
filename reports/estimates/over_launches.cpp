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

double p_over_launches(const LaunchPairs& launches) {
  return launches.size() == 1 ? signed_rank_p(launches.front()) : t_test_p(locations(launches));
}

Estimate mean_over_launches(const LaunchPairs& launches, double confidence) {
  if (launches.size() == 1) return t_interval(launches.front(), confidence);
  std::vector<double> means;
  for (const auto& pairs : launches) means.push_back(t_interval(pairs, confidence).value);
  return t_interval(means, confidence);
}

}  // namespace ddpbench
