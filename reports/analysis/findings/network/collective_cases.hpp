#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Points to the rows of one case and arm.
using CollectiveSamples = std::vector<const CollectiveSampleRow*>;

// Says what is measured at once: one collective of one size, a model's bucket sequence, or a step with those buckets, on so many
// ranks.
struct CollectiveCaseKey {
  std::int64_t nodes = 0, ranks_per_node = 0;
  std::string collective, bucket_cap;
  std::int64_t bytes = 0;
  friend auto operator<=>(const CollectiveCaseKey&, const CollectiveCaseKey&) = default;
};

// Holds the blocks of a case: by arm, in the order in which they came.
struct CollectiveCaseSamples {
  std::vector<std::string> arms;
  std::map<std::string, CollectiveSamples> by_arm;
  std::string reference;
};

// Sorts the samples by case and arm.
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

}  // namespace ddpbench
