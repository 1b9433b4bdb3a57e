#include "suite/plan/feasibility.hpp"

#include <vector>

#include "suite/plan/standard_axes.hpp"
#include "suite/plan/wording.hpp"
#include "suite/vocab/arm_name.hpp"
#include "suite/vocab/registry.hpp"

namespace ddpbench {
namespace {

std::string why_not(const std::string& kind, const VocabularyEntry& entry, const Availability& availability) {
  if (!entry.built) return kind + " '" + entry.name + "' is not built: " + entry.why_not_built;
  const auto reasons = availability.why_not.find(kind);
  if (reasons == availability.why_not.end()) return "";
  const auto reason = reasons->second.find(entry.name);
  return reason == reasons->second.end() ? "" : kind + " '" + entry.name + "' is not available here: " + reason->second;
}

std::string why_too_many_ranks(const VocabularyEntry& strategy, std::int64_t world_size) {
  if (strategy.max_world_size == 0 || world_size <= strategy.max_world_size) return "";
  return "strategy '" + strategy.name + "' runs " + (strategy.max_world_size == 1 ? "" : "at most ") +
         counted(strategy.max_world_size, "rank") + ", this cell has " + std::to_string(world_size);
}

std::string why_too_many_nodes(std::int64_t nodes, const Availability& availability) {
  if (availability.max_nodes == 0 || nodes <= availability.max_nodes) return "";
  return "launcher '" + availability.launcher + "' starts " + counted(availability.max_nodes, "node") + ", this cell has " +
         std::to_string(nodes);
}

}  // namespace

std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability) {
  for (const auto& axis : standard_axes()) {
    if (axis.entries == nullptr) continue;
    const auto& name = cell.*std::get<std::string LaunchSpec::*>(axis.member);
    auto reason = why_not(axis.name, find_entry(vocabulary.*axis.entries, axis.name, name), availability);
    if (!reason.empty()) return reason;
  }
  auto reason = why_too_many_ranks(find_entry(vocabulary.strategies, "strategy", cell.strategy), cell.world_size());
  return reason.empty() ? why_too_many_nodes(cell.nodes, availability) : reason;
}

std::string why_arm_not_possible(const std::string& arm, const Vocabulary& vocabulary, const Availability& availability) {
  const auto name = parse_arm_name(vocabulary, arm);
  auto reason = why_not("arm", find_entry(vocabulary.arms, "arm", name.base), availability);
  for (std::size_t i = 0; i < name.features.size() && reason.empty(); ++i) {
    reason = why_not("feature", find_entry(vocabulary.features, "feature", name.features[i]), availability);
  }
  return reason;
}

}  // namespace ddpbench
