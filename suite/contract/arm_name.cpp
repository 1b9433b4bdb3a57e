#include "suite/contract/arm_name.hpp"

#include <algorithm>

#include "suite/base/text.hpp"
#include "suite/contract/registry.hpp"

namespace ddpbench {
namespace {

std::vector<std::string> in_table_order(const Vocabulary& vocabulary, const std::vector<std::string>& features) {
  std::vector<std::string> ordered;
  for (const auto& entry : vocabulary.features) {
    if (holds(features, entry.name)) ordered.push_back(entry.name);
  }
  return ordered;
}

// The features that can be on an arm: its own, and those that may be added.
std::vector<std::string> possible_features(const VocabularyEntry& arm) {
  auto possible = arm.features;
  possible.insert(possible.end(), arm.takes.begin(), arm.takes.end());
  return possible;
}

void require_possible(const VocabularyEntry& arm, std::string_view text, const std::string& feature) {
  const auto possible = possible_features(arm);
  if (holds(possible, feature)) return;
  throw UsageError("arm '" + arm.name + "' takes no feature '" + feature + "' (in '" + std::string(text) + "'; it takes " +
                   join(possible, ", ") + ")");
}

void apply(std::string_view arm, char sign, const std::string& feature, std::vector<std::string>& features) {
  const bool present = holds(features, feature);
  if (sign == '+' && present) throw UsageError("arm '" + std::string(arm) + "' already has feature '" + feature + "'");
  if (sign == '-' && !present) throw UsageError("arm '" + std::string(arm) + "' has no feature '" + feature + "' to take away");
  if (sign == '+') {
    features.push_back(feature);
  } else {
    features.erase(std::find(features.begin(), features.end(), feature));
  }
}

}  // namespace

bool is_control(std::string_view arm) {
  return arm == kAaArm || arm == kInjectedArm || arm == kInjectedOnDeviceArm || arm == kInjectedPeriodicArm;
}

std::int64_t blocks_in_super_block(std::string_view arm, std::size_t arms) {
  constexpr std::size_t kOthersPerReference = 4;
  const auto others = arms - std::min<std::size_t>(arms, 1);
  if (arm != kReferenceArm || others <= kOthersPerReference) return 1;
  return static_cast<std::int64_t>((others + kOthersPerReference - 1) / kOthersPerReference);
}

bool ArmName::has(std::string_view feature) const { return holds(features, feature); }

ArmName parse_arm_name(const Vocabulary& vocabulary, std::string_view text) {
  auto end = text.find_first_of("+-");
  ArmName name{std::string(text.substr(0, end)), {}};
  const auto& entry = find_entry(vocabulary.arms, "arm", name.base);
  name.features = entry.features;
  if (end != std::string_view::npos && possible_features(entry).empty()) {
    throw UsageError("arm '" + name.base + "' takes no features (in '" + std::string(text) + "')");
  }
  while (end != std::string_view::npos) {
    const auto next = text.find_first_of("+-", end + 1);
    const std::string feature(text.substr(end + 1, next - end - 1));
    find_entry(vocabulary.features, "feature", feature);
    require_possible(entry, text, feature);
    apply(text, text[end], feature, name.features);
    end = next;
  }
  name.features = in_table_order(vocabulary, name.features);
  return name;
}

}  // namespace ddpbench
