#include "suite/commands/studies.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/report_folder.hpp"
#include "suite/plan/joined_experiment.hpp"
#include "suite/runs/submission.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

fs::path normal(const std::string& folder) { return fs::absolute(folder + "/").lexically_normal().parent_path(); }

// A study in the making.
struct Group {
  std::vector<ExperimentText> texts;
  std::string experiment;  // its name
  std::string submission;  // not empty: the folder of `ddpbench submit` that it comes from, alone
  std::string why_apart;   // not empty: from the folders before it

  std::string name() const {
    if (!submission.empty()) return normal(submission).filename().string();
    return texts.size() == 1 ? normal(texts.front().folder).filename().string() : experiment + "-study";
  }
  std::string own_place() const {
    if (!submission.empty()) return (fs::path(submission) / kStudyReport).string();
    if (texts.size() == 1) return texts.front().folder;
    return (normal(texts.front().folder).parent_path() / name()).string();
  }
};

std::vector<std::string> begun_jobs_of(const std::string& folder) {
  std::vector<std::string> folders;
  for (const auto& job : read_submission(folder).jobs) {
    for (const auto& results : results_of(folder, job)) {
      if (fs::exists(fs::path(results) / folder_file::kPlan)) folders.push_back(results);
    }
  }
  if (folders.empty())
    throw UsageError(folder + ": none of its jobs has begun to measure; see ddpbench submit --status " + folder);
  return folders;
}

// Folders that were given twice count once.
void add_to_groups(const std::string& folder, const std::string& submission, std::vector<Group>& groups) {
  const auto results = open_results(folder);
  const ExperimentText text{folder, results.experiment_toml()};
  std::string why_apart;
  for (auto& group : groups) {
    const auto difference = why_not_one_experiment(group.texts.front(), text);
    if (!difference.empty()) {
      if (why_apart.empty()) why_apart = difference;
      continue;
    }
    const bool is_there = std::any_of(group.texts.begin(), group.texts.end(),
                                      [&](const auto& one) { return normal(one.folder) == normal(folder); });
    if (!is_there) group.texts.push_back(text);
    if (group.submission != submission) group.submission.clear();
    return;
  }
  groups.push_back({{text}, experiment_name(text), submission, why_apart});
}

std::string words_of(const Group& group) {
  std::vector<std::string> folders;
  for (const auto& text : group.texts) folders.push_back(text.folder);
  const auto count = static_cast<std::int64_t>(folders.size());
  if (count > 1) return "one study of " + counted(count, "folder") + ": " + join(folders, ", ");
  return group.why_apart.empty() ? "" : "a report of its own, for it is not the same experiment: " + group.why_apart;
}

// Two reports of one name would go to one place, the second over the first. A name of our own making would not be found again.
void require_places_of_their_own(const std::vector<StudyFolders>& studies) {
  std::map<fs::path, std::string> taken;
  std::vector<std::string> mistakes;
  for (const auto& study : studies) {
    std::error_code unknown;
    const auto [other, is_free] = taken.try_emplace(fs::weakly_canonical(study.out, unknown), study.folders.front());
    if (is_free) continue;
    mistakes.push_back("the reports of " + other->second + " and " + study.folders.front() + " would both go to " + study.out +
                       ": report them one by one, each with an --out of its own");
  }
  if (!mistakes.empty()) throw UsageError(mistakes);
}

}  // namespace

std::vector<StudyFolders> studies_of(const std::vector<std::string>& given, const std::string& out) {
  std::vector<Group> groups;
  for (const auto& folder : given) {
    if (!is_submission(folder)) {
      add_to_groups(folder, "", groups);
      continue;
    }
    for (const auto& job : begun_jobs_of(folder)) add_to_groups(job, folder, groups);
  }
  std::vector<StudyFolders> studies;
  for (const auto& group : groups) {
    auto& study = studies.emplace_back();
    for (const auto& text : group.texts) study.folders.push_back(text.folder);
    study.out = out.empty() ? group.own_place() : groups.size() == 1 ? out : (fs::path(out) / group.name()).string();
    study.told = words_of(group);
    if (group.submission.empty()) continue;
    const auto submission = read_submission(group.submission);
    study.price_per_gpu_hour = submission.price_per_gpu_hour;
    study.price_unit = submission.price_unit;
  }
  require_places_of_their_own(studies);
  return studies;
}

}  // namespace ddpbench
