#include "reports/analysis/regression/folder_values.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "reports/analysis/answer/banner.hpp"
#include "suite/base/text.hpp"
#include "suite/store/folder_state.hpp"
#include "suite/store/verify_folder.hpp"

namespace ddpbench {
namespace {

// Measured numbers are never the same twice.
bool is_measured(const Fact& fact) { return std::isfinite(fact.number) && std::floor(fact.number) != fact.number; }

// They are recorded on purpose, and nothing of them is compared.
std::set<std::string> profile_launches(const Study& study) {
  std::set<std::string> ids;
  for (const auto& row : study.profiles) ids.insert(row.launch_id);
  return ids;
}

std::map<std::string, std::set<std::string>> facts_of_launches(const Study& study) {
  std::map<std::string, std::set<std::string>> texts;
  const auto profiles = profile_launches(study);
  for (const auto& launch : study.launch_facts) {
    if (profiles.contains(launch.launch_id)) continue;
    for (const auto& [key, fact] : launch.facts) {
      if (!is_measured(fact)) texts[key].insert(fact.text);
    }
  }
  return texts;
}

FolderChecks checks_of(const JoinedFolders& folders) {
  FolderChecks checks;
  for (const auto& folder : folders.folders())
    checks.push_back(std::make_unique<FolderCheck>(folder.path(), FolderCheck::Scope::kMeasured));
  return checks;
}

}  // namespace

FolderValues folder_values(const JoinedFolders& folders) {
  const auto checks = checks_of(folders);
  const auto study = read_study(folders, checks);
  FolderValues found{launch_values(study),      launch_counts(study),     study.primary_clock,
                     study.settings.confidence, facts_of_launches(study), {},
                     study.started_utc,         profiled_sentences(study)};
  for (const auto& check : checks) {
    for (auto& problem : check->problems()) {
      if (!is_note(problem)) found.damage.push_back(std::move(problem));
    }
  }
  return found;
}

std::vector<std::string> differing_facts(const FolderValues& base, const FolderValues& fresh) {
  std::vector<std::string> lines;
  for (const auto& [key, texts] : base.facts) {
    const auto other = fresh.facts.find(key);
    if (other == fresh.facts.end() || other->second == texts) continue;
    lines.push_back(key + ": " + join(texts, ", ") + " | " + join(other->second, ", "));
  }
  return lines;
}

}  // namespace ddpbench
