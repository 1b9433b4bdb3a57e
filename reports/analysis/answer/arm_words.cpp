#include "reports/analysis/answer/arm_words.hpp"

#include <algorithm>

#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using Meanings = std::vector<std::pair<std::string, std::string>>;

std::string without_value(const std::string& feature) { return feature.substr(0, feature.find('=')); }

// "typical", "bar" of "py_lightning+typical-bar": a bundle by its own name.
std::vector<std::string> named_features(const std::string& arm) {
  std::vector<std::string> features;
  for (auto at = arm.find_first_of("+-"); at != std::string::npos;) {
    const auto next = arm.find_first_of("+-", at + 1);
    features.push_back(arm.substr(at + 1, next - at - 1));
    at = next;
  }
  return features;
}

// Returns what the name stands for, where it is a bundle.
std::vector<std::string> add_meaning(Meanings& words, const std::vector<VocabularyEntry>& entries, const std::string& name) {
  const auto is_it = [&](const auto& word) { return word.first == name; };
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  if (found == entries.end() || found->help.empty() || std::any_of(words.begin(), words.end(), is_it)) return {};
  words.emplace_back(name, found->help + (found->bundle.empty() ? "" : ": " + join(found->bundle, ", ")));
  return found->bundle;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> arm_words(const Study& study) {
  Meanings words;
  std::vector<std::string> features;
  for (const auto& arm : study.arms) {
    add_meaning(words, study.arm_tables.arms, arm.base);
    const auto named = named_features(arm.name);
    features.insert(features.end(), named.begin(), named.end());
  }
  std::vector<std::string> parts;
  for (const auto& feature : features) {
    const auto bundle = add_meaning(words, study.arm_tables.features, without_value(feature));
    parts.insert(parts.end(), bundle.begin(), bundle.end());
  }
  for (const auto& part : parts) add_meaning(words, study.arm_tables.features, without_value(part));
  return words;
}

}  // namespace ddpbench
