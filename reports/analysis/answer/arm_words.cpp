#include "reports/analysis/answer/arm_words.hpp"

#include <algorithm>

#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using Meanings = std::vector<std::pair<std::string, std::string>>;

std::string without_value(const std::string& feature) { return feature.substr(0, feature.find('=')); }

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
    features.insert(features.end(), arm.added.begin(), arm.added.end());
    features.insert(features.end(), arm.removed.begin(), arm.removed.end());
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
