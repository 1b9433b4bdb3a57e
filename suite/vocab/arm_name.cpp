#include "suite/vocab/arm_name.hpp"

#include <algorithm>

#include "suite/vocab/registry.hpp"

namespace ddpbench {
namespace {

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> in_table_order(const Vocabulary& vocabulary, const std::vector<std::string>& features) {
  std::vector<std::string> ordered;
  for (const auto& entry : vocabulary.features) {
    if (holds(features, entry.name)) ordered.push_back(entry.name);
  }
  return ordered;
}

void apply(const Vocabulary& vocabulary, std::string_view arm, char sign, const std::string& feature,
           std::vector<std::string>& features) {
  find_entry(vocabulary.features, "feature", feature);
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

bool is_control(std::string_view arm) { return arm == kAaArm || arm == kInjectedArm; }

bool ArmName::has(std::string_view feature) const { return holds(features, feature); }

ArmName parse_arm_name(const Vocabulary& vocabulary, std::string_view text) {
  auto end = text.find_first_of("+-");
  ArmName name{std::string(text.substr(0, end)), {}};
  const auto& entry = find_entry(vocabulary.arms, "arm", name.base);
  name.features = entry.features;
  if (end != std::string_view::npos && entry.features.empty()) {
    throw UsageError("arm '" + name.base + "' takes no features (in '" + std::string(text) + "')");
  }
  while (end != std::string_view::npos) {
    const auto next = text.find_first_of("+-", end + 1);
    apply(vocabulary, text, text[end], std::string(text.substr(end + 1, next - end - 1)), name.features);
    end = next;
  }
  name.features = in_table_order(vocabulary, name.features);
  return name;
}

}  // namespace ddpbench
