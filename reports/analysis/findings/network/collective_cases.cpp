#include "reports/analysis/findings/network/collective_cases.hpp"

#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {
namespace {

CollectiveCaseKey collective_case_of(const CollectiveSampleRow& row) {
  return {row.nodes, row.ranks_per_node, row.collective, row.bucket_cap, row.bytes};
}

}  // namespace

CollectiveCases::CollectiveCases(std::span<const CollectiveSampleRow> samples) {
  for (const auto& sample : samples) {
    const auto [found, is_new] = cases_.try_emplace(collective_case_of(sample));
    if (is_new) order_.push_back(found->first);
    auto& one = found->second;
    auto& of_arm = one.by_arm[sample.arm];
    if (of_arm.empty()) one.arms.push_back(sample.arm);
    of_arm.push_back(&sample);
    if (sample.role == collective_role::kReference) one.reference = sample.arm;
  }
}

const CollectiveCaseSamples* CollectiveCases::find(const CollectiveCaseKey& key) const {
  const auto found = cases_.find(key);
  return found == cases_.end() ? nullptr : &found->second;
}

}  // namespace ddpbench
