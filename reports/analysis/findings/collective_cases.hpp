#pragma once
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/estimates/over_launches.hpp"
#include "suite/contract/rows.hpp"

namespace ddpbench {

using CollectiveSamples = std::vector<const CollectiveSampleRow*>;

// What is measured at once: one collective of one size, a model's bucket sequence, or a step with those buckets, on so many ranks.
struct CollectiveCaseKey {
  std::int64_t nodes = 0, ranks_per_node = 0;
  std::string collective, bucket_cap;
  std::int64_t bytes = 0;
  friend auto operator<=>(const CollectiveCaseKey&, const CollectiveCaseKey&) = default;
};

CollectiveCaseKey collective_case_of(const CollectiveSampleRow& row);

// The blocks of a case: by arm, in the order in which they came.
struct CollectiveCaseSamples {
  std::vector<std::string> arms;
  std::map<std::string, CollectiveSamples> by_arm;
  std::string reference;
};

class CollectiveCases {
 public:
  // `samples` must stay.
  explicit CollectiveCases(std::span<const CollectiveSampleRow> samples);

  const std::vector<CollectiveCaseKey>& order() const { return order_; }  // in which they were measured
  const CollectiveCaseSamples* find(const CollectiveCaseKey& key) const;  // nullptr: not measured

 private:
  std::vector<CollectiveCaseKey> order_;
  std::map<CollectiveCaseKey, CollectiveCaseSamples> cases_;
};

// A value of each block, launch by launch.
template <class Value>
LaunchPairs by_launch(const CollectiveSamples& samples, Value value) {
  std::map<std::string, std::vector<double>> launches;
  for (const auto* sample : samples) {
    if (const double v = value(*sample); std::isfinite(v)) launches[sample->launch_id].push_back(v);
  }
  LaunchPairs pairs;
  for (auto& [launch, values] : launches) pairs.push_back(std::move(values));
  return pairs;
}

}  // namespace ddpbench
