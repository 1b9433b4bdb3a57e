#include "suite/plan/feasibility.hpp"

#include <algorithm>
#include <vector>

#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

std::string reason_of(const Availability& availability, const std::string& kind, const std::string& name) {
  const auto reasons = availability.why_not.find(kind);
  if (reasons == availability.why_not.end()) return "";
  const auto reason = reasons->second.find(name);
  return reason == reasons->second.end() ? "" : reason->second;
}

const std::string& device_of(const LaunchSpec& cell, const Vocabulary& vocabulary) {
  return find_entry(vocabulary.backends, "backend", cell.backend).device;
}

// "" where the cell has no such option.
std::string option_of(const LaunchSpec& cell, const std::string& name) {
  for (const auto& group : kOptionGroups) {
    const auto& options = cell.options[group.group];
    const auto option = options.find(name);
    if (option != options.end()) return option->second;
  }
  return "";
}

// What the cell has of an axis that an entry may be bound to: "cuda (backend 'nccl')", "ddp".
struct Had {
  std::string value, words;
};

Had had_by(const LaunchSpec& cell, const Vocabulary& vocabulary, const std::string& axis) {
  if (axis == "device") {
    const auto& device = device_of(cell, vocabulary);
    return {device, device + " (backend '" + cell.backend + "')"};
  }
  const auto* standard = find_standard_axis(axis);
  const auto value = standard == nullptr ? option_of(cell, axis) : text_of(*standard, cell);
  return {value, value};
}

bool is_of(const CellExclusion& cells, const LaunchSpec& cell, const Vocabulary& vocabulary) {
  return std::all_of(cells.where.begin(), cells.where.end(), [&](const auto& where) {
    const auto had = had_by(cell, vocabulary, where.first).value;
    return where.second.starts_with('!') ? !had.empty() && had != where.second.substr(1) : had == where.second;
  });
}

// Tells whether a cell can have an entry.
class Question {
 public:
  Question(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability)
      : cell_(cell), vocabulary_(vocabulary), availability_(availability) {}

  std::string why_not(const std::string& kind, const EntryView& entry) const {
    const std::string name(entry.name);
    const auto subject = kind + " '" + name + "' ";
    if (!entry.why_not_built.empty()) return subject + "is not built: " + std::string(entry.why_not_built);
    if (auto reason = why_unfit(entry); !reason.empty()) return subject + reason;
    auto reason = reason_of(availability_, kind, name);
    for (const auto& where : {device_of(cell_, vocabulary_), cell_.workload}) {
      if (reason.empty()) reason = reason_of(availability_, reason_kind(kind, where), name);
    }
    return reason.empty() ? "" : subject + "is not available here: " + reason;
  }

 private:
  std::string why_unfit(const EntryView& entry) const {
    static const OnlyIn everywhere;
    for (const auto& [axis, values] : entry.only == nullptr ? everywhere : *entry.only) {
      const auto had = had_by(cell_, vocabulary_, axis);
      if (std::find(values.begin(), values.end(), had.value) != values.end()) continue;
      return "needs " + axis + " " + listed(values) + ", this cell has " + had.words;
    }
    for (const auto& cells : entry.excludes_cells) {
      if (is_of(cells, cell_, vocabulary_)) return "is not possible here: " + cells.why;
    }
    return "";
  }

  const LaunchSpec& cell_;
  const Vocabulary& vocabulary_;
  const Availability& availability_;
};

std::string why_too_many_ranks(const StrategyEntry& strategy, std::int64_t world_size) {
  if (strategy.max_world_size == 0 || world_size <= strategy.max_world_size) return "";
  return "strategy '" + strategy.name + "' runs " + (strategy.max_world_size == 1 ? "" : "at most ") +
         counted(strategy.max_world_size, "rank") + ", this cell has " + std::to_string(world_size);
}

std::string why_too_many_nodes(std::int64_t nodes, const Availability& availability) {
  if (availability.max_nodes == 0 || nodes <= availability.max_nodes) return "";
  const auto who =
      availability.site.empty() ? "launcher '" + availability.launcher + "' starts " : "site '" + availability.site + "' allows ";
  const auto why = availability.why_this_launcher.empty() ? "" : ": " + availability.why_this_launcher;
  return who + counted(availability.max_nodes, "node") + ", this cell has " + std::to_string(nodes) + why;
}

}  // namespace

std::string feasibility_key(const LaunchSpec& cell, const Vocabulary& vocabulary) {
  std::string key;
  for (const auto& axis : standard_axes()) {
    if (axis.entries != nullptr) key += text_of(axis, cell) + '\n';
  }
  const auto add_exclusions_of = [&](const auto& entries) {
    for (const auto& entry : entries) {
      for (const auto& cells : entry.excludes_cells) key += is_of(cells, cell, vocabulary) ? '1' : '0';
    }
  };
  add_exclusions_of(vocabulary.workloads);
  add_exclusions_of(vocabulary.arms);
  add_exclusions_of(vocabulary.features);
  return key;
}

std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability) {
  auto reason = why_names_not_possible(cell, vocabulary, availability);
  return reason.empty() ? why_sizes_not_possible(cell, vocabulary, availability) : reason;
}

std::string why_names_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability) {
  const Question question(cell, vocabulary, availability);
  for (const auto& axis : standard_axes()) {
    if (axis.entries == nullptr) continue;
    auto reason = question.why_not(axis.name, find_entry(axis.entries(vocabulary), axis.name, text_of(axis, cell)));
    if (!reason.empty()) return reason;
  }
  return "";
}

std::string why_sizes_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability) {
  const auto& strategy = find_entry(vocabulary.strategies, "strategy", cell.strategy);
  const auto reason = why_too_many_ranks(strategy, cell.world_size());
  return reason.empty() ? why_too_many_nodes(cell.nodes, availability) : reason;
}

std::string why_arm_not_possible(const std::string& arm, const LaunchSpec& cell, const Vocabulary& vocabulary,
                                 const Availability& availability) {
  const Question question(cell, vocabulary, availability);
  const auto facts = arm_facts(vocabulary, arm);
  if (cell.workload == kModuleWorkload && facts.module.empty()) {
    return "workload '" + cell.workload + "' trains what arms name: '" + facts.base + "=NAME', with NAME under [modules]";
  }
  auto reason = question.why_not("arm", view_of(find_entry(vocabulary.arms, "arm", facts.base)));
  const auto names = facts.feature_names();
  for (const auto& feature : vocabulary.features) {
    if (reason.empty() && holds(names, feature.name)) reason = question.why_not("feature", view_of(feature));
  }
  return reason;
}

}  // namespace ddpbench
