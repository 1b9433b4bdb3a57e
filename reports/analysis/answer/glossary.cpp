#include "reports/analysis/answer/glossary.hpp"

#include <algorithm>
#include <set>

#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Meanings = std::vector<std::pair<std::string, std::string>>;

template <class Entry>
bool add_meaning(Meanings& words, const std::vector<Entry>& entries, const std::string& name) {
  const auto is_it = [&](const auto& word) { return word.first == name; };
  const auto* entry = entry_or_null(entries, name);
  if (entry == nullptr || entry->help.empty() || std::any_of(words.begin(), words.end(), is_it)) return false;
  words.emplace_back(name, entry->help);
  return true;
}

// Holds a feature as it was written behind an arm's base.
struct ChangeOfArm {
  std::string base;
  FeatureChange change;
};

std::vector<ChangeOfArm> changes_of(const Study& study, bool of_subjects_only) {
  std::vector<ChangeOfArm> changes;
  for (const auto& arm : study.arms) {
    if (of_subjects_only && !arm.is_subject()) continue;
    for (const auto& change : split_arm_name(study.vocabulary, arm.name).changes) changes.push_back({arm.base, change});
  }
  return changes;
}

// Returns "": no bundle; ": log, bar", or ": log, bar in py_lightning; clip=1 in py_hf_trainer" where arms differ.
std::string parts_text(const Vocabulary& tables, const std::vector<ChangeOfArm>& changes, const std::string& feature) {
  std::vector<std::pair<std::string, std::string>> parts;  // with the first arm that has them
  for (const auto& [base, change] : changes) {
    const auto text = join(bundle_of(tables, base, change.feature), ", ");
    const auto is_told = [&](const auto& one) { return one.first == text; };
    if (change.feature == feature && !text.empty() && std::none_of(parts.begin(), parts.end(), is_told))
      parts.emplace_back(text, base);
  }
  if (parts.size() < 2) return parts.empty() ? "" : ": " + parts.front().first;
  std::vector<std::string> texts;
  for (const auto& [text, base] : parts) texts.push_back(text + " in " + base);
  return ": " + join(texts, "; ");
}

void add_features(Meanings& words, const Vocabulary& tables, const std::vector<ChangeOfArm>& changes) {
  for (const auto& [_, change] : changes) {
    if (add_meaning(words, tables.features, change.feature)) words.back().second += parts_text(tables, changes, change.feature);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> glossary(const Study& study) {
  const auto& tables = study.vocabulary;
  Meanings words;
  for (const auto& arm : study.arms) add_meaning(words, tables.arms, arm.base);
  const auto changes = changes_of(study, false);
  add_features(words, tables, changes);
  for (const auto& [base, change] : changes) {
    for (const auto& part : expand(tables, base, change)) add_meaning(words, tables.features, part.feature);
  }
  for (const auto& axis : standard_axes()) {
    if (axis.entries == nullptr) continue;
    const auto entries = axis.entries(tables);
    std::set<std::string> told;
    for (const auto& cell : study.cells) {
      const auto name = text_of(axis, cell.axes);
      if (told.insert(name).second) add_meaning(words, entries, name);
    }
  }
  return words;
}

std::string subject_phrase(const Study& study) {
  constexpr std::size_t kMostWords = 5;
  Meanings words;
  for (const auto& arm : study.arms) {
    if (arm.is_subject()) add_meaning(words, study.vocabulary.arms, arm.base);
  }
  add_features(words, study.vocabulary, changes_of(study, true));
  if (words.size() > kMostWords) return "";
  std::vector<std::string> lines;
  for (const auto& [word, meaning] : words) lines.push_back(word + ": " + meaning);
  return join(lines, "; ");
}

}  // namespace ddpbench
