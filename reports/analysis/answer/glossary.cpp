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
void add_meaning(Meanings& words, const std::vector<Entry>& entries, const std::string& name) {
  const auto is_it = [&](const auto& word) { return word.first == name; };
  const auto* entry = entry_or_null(entries, name);
  if (entry == nullptr || entry->help.empty() || std::any_of(words.begin(), words.end(), is_it)) return;
  words.emplace_back(name, entry->help);
  if constexpr (requires { entry->bundle; }) words.back().second += entry->bundle.empty() ? "" : ": " + join(entry->bundle, ", ");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> glossary(const Study& study) {
  const auto& tables = study.vocabulary;
  Meanings words;
  for (const auto& arm : study.arms) add_meaning(words, tables.arms, arm.base);
  std::vector<FeatureChange> changes;
  for (const auto& arm : study.arms) {
    const auto written = split_arm_name(tables, arm.name).changes;
    changes.insert(changes.end(), written.begin(), written.end());
  }
  for (const auto& change : changes) add_meaning(words, tables.features, change.feature);
  for (const auto& change : changes) {
    for (const auto& part : expand(tables, change)) add_meaning(words, tables.features, part.feature);
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
    if (!arm.is_subject()) continue;
    add_meaning(words, study.vocabulary.arms, arm.base);
    for (const auto& change : split_arm_name(study.vocabulary, arm.name).changes)
      add_meaning(words, study.vocabulary.features, change.feature);
  }
  if (words.size() > kMostWords) return "";
  std::vector<std::string> lines;
  for (const auto& [word, meaning] : words) lines.push_back(word + ": " + meaning);
  return join(lines, "; ");
}

}  // namespace ddpbench
