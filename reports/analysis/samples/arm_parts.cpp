#include "reports/analysis/samples/arm_parts.hpp"

#include <algorithm>

#include "suite/contract/arm_name.hpp"

namespace ddpbench {

ArmParts arm_parts(std::string_view arm) {
  auto end = arm.find_first_of("+-");
  ArmParts parts{std::string(arm.substr(0, end)), {}, {}};
  while (end != std::string_view::npos) {
    const auto next = arm.find_first_of("+-", end + 1);
    auto& list = arm[end] == '+' ? parts.added : parts.removed;
    list.emplace_back(arm.substr(end + 1, next - end - 1));
    end = next;
  }
  return parts;
}

std::vector<std::string> features_of(const ArmParts& parts, const ArmFeatures& features) {
  const auto own = features.find(parts.base);
  if (own == features.end()) return {};
  std::vector<std::string> in_force;
  for (const auto& feature : own->second) {
    const bool kept = std::find(parts.removed.begin(), parts.removed.end(), feature) == parts.removed.end();
    if (kept) in_force.push_back(feature);
  }
  in_force.insert(in_force.end(), parts.added.begin(), parts.added.end());
  return in_force;
}

bool is_probe(std::string_view arm) {
  const auto parts = arm_parts(arm);
  const bool ideal = std::find(parts.added.begin(), parts.added.end(), kIdealFeature) != parts.added.end();
  return ideal || (parts.base == kReferenceArm && parts.added.empty() && !parts.removed.empty());
}

}  // namespace ddpbench
