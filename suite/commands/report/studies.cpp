#include "suite/commands/report/studies.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/plan/joined_experiment.hpp"
#include "suite/runs/submission.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// Without links, "." and a slash at its end: one folder has one such path.
fs::path normal(const std::string& folder) {
  std::error_code unknown;
  const auto path = fs::weakly_canonical(fs::absolute(folder), unknown);
  return path.filename().empty() ? path.parent_path() : path;
}

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
  bool holds(const std::string& folder) const {
    return std::any_of(texts.begin(), texts.end(), [&](const auto& one) { return normal(one.folder) == normal(folder); });
  }
};

// It looks like results, but holds no samples: a report cannot be made from it.
bool is_a_report(const std::string& folder) {
  std::error_code unknown;
  const fs::path path(folder);
  return fs::exists(path / "overhead.csv", unknown) && !fs::exists(path / folder_file::kSteps, unknown);
}

class Grouping {
 public:
  // `results/NAME-*` also matches the report of an earlier call.
  void add(const std::string& folder) {
    if (is_a_report(folder)) {
      notes_.push_back(folder + " is left out: it is a report, without samples");
      return;
    }
    add(folder, "");
  }

  // However its jobs ended: what can be read is reported.
  void add_submission(const std::string& folder) {
    bool any = false;
    for (const auto& job : read_submission(folder).jobs) {
      for (const auto& results : results_of(folder, job)) any |= add_job(results, folder);
    }
    if (!any) throw UsageError(folder + ": none of its jobs has begun to measure; see ddpbench submit --status " + folder);
  }

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  bool add_job(const std::string& results, const std::string& submission) {
    if (!fs::exists(fs::path(results) / folder_file::kPlan)) {
      notes_.push_back(results + " is left out: its job has not begun to measure");
      return false;
    }
    try {
      add(results, submission);
      return true;
    } catch (const UsageError& error) {
      notes_.push_back(results + " is left out: " + error.what());
      return false;
    }
  }

  // Folders that were given twice count once.
  void add(const std::string& folder, const std::string& submission) {
    const auto results = open_results(folder);
    const ExperimentText text{folder, results.experiment_toml()};
    std::string why_apart;
    for (auto& group : groups_) {
      const auto difference = why_not_one_experiment(group.texts.front(), text);
      if (!difference.empty()) {
        if (why_apart.empty()) why_apart = difference;
        continue;
      }
      if (group.holds(folder)) return;
      group.texts.push_back(text);
      if (group.submission != submission) group.submission.clear();
      return;
    }
    groups_.push_back({{text}, experiment_name(text), submission, why_apart});
  }

  std::vector<Group> groups_;
  std::vector<std::string> notes_;
};

std::string words_of(const Group& group) {
  std::vector<std::string> folders;
  for (const auto& text : group.texts) folders.push_back(text.folder);
  const auto count = static_cast<std::int64_t>(folders.size());
  const auto apart = group.why_apart.empty() ? "" : "a report of its own, for it is not the same experiment: " + group.why_apart;
  if (count == 1) return apart;
  return "one study of " + counted(count, "folder") + ": " + join(folders, ", ") + (apart.empty() ? "" : "\n" + apart);
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
  Grouping grouping;
  for (const auto& folder : given) is_submission(folder) ? grouping.add_submission(folder) : grouping.add(folder);
  const auto& groups = grouping.groups();
  if (groups.empty()) throw UsageError(join(grouping.notes(), "\n"));
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
  for (const auto& note : grouping.notes()) studies.front().told += (studies.front().told.empty() ? "" : "\n") + note;
  return studies;
}

}  // namespace ddpbench
