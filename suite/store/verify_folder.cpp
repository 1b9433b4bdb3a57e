#include "suite/store/verify_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "suite/store/environment_file.hpp"
#include "suite/store/folder_state.hpp"
#include "suite/store/header_check.hpp"
#include "suite/store/launch_check.hpp"
#include "suite/store/report_manifest.hpp"
#include "suite/store/results_folder.hpp"
#include "suite/store/row_values.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestTableBytes = std::int64_t{1} << 30;
constexpr std::array<std::string_view, 5> kStatuses{status::kOk, status::kSkipped, status::kFailed, status::kWrongResult,
                                                    status::kPartial};

constexpr std::size_t kMostNamed = 20;  // launches that never ran, by name

// True for tables that a run writes.
template <class Row>
constexpr bool kIsRecorded = !std::is_same_v<Row, OverheadRow> && !std::is_same_v<Row, ScalingRow>;

std::vector<std::string> failures_of(const std::function<void()>& body) {
  try {
    body();
    return {};
  } catch (const UsageError& error) {
    return error.messages();
  } catch (const std::exception& error) {
    return {failure_text(error)};
  }
}

// Two checks may find the same.
std::vector<std::string> each_once(const std::vector<std::string>& sentences) {
  std::vector<std::string> once;
  std::unordered_set<std::string_view> told;
  for (const auto& sentence : sentences) {
    if (told.insert(sentence).second) once.push_back(sentence);
  }
  return once;
}

}  // namespace

// Each check adds what it found; one that cannot go on throws, and the next is run all the same.
class FolderCheck::Implementation {
 public:
  Implementation(std::string path, Scope scope) : path_(std::move(path)), is_complete_(scope == Scope::kEverything) {
    check([this] { check_files(); });
    check([this] { check_environment(); });
    check([this] { check_manifest(); });
    check([this] { check_csv<PlanRow>(folder_file::kPlan, plan_); });
    check([this] { check_csv<RunRow>(folder_file::kRuns, runs_); });
    check([this] {
      std::vector<MetricRow> rows;
      check_csv<MetricRow>(folder_file::kMetrics, rows);
    });
    check([this] { check_optional<NodeCheckRow>(folder_file::kNodeChecks); });
    check([this] { check_optional<ProfileRow>(folder_file::kProfiles); });
    check([this] { check_optional<TracePartRow>(folder_file::kTraceParts); });
    check([this] { check_optional<TraceMemoryRow>(folder_file::kTraceMemory); });
    check([this] { check_optional<CollectiveSampleRow>(folder_file::kCollectiveSamples); });
    check([this] { check_estimates(); });
    check([this] { check_against_plan(); });
    make_launches();
  }

  LaunchCheck* launch(const std::string& launch_id) {
    const auto found = launches_.find(launch_id);
    return found == launches_.end() ? nullptr : &found->second;
  }

  void read_samples() {
    check([this] { read_samples<StepRow>(folder_file::kSteps); });
    check([this] { read_samples<BlockRow>(folder_file::kBlocks); });
  }

  void samples_were_read() { files_read_ = 2; }

  std::vector<std::string> problems() {
    if (ResultsFolder::is_half_made(path_)) return {ResultsFolder::half_made_text(path_)};
    auto all = problems_;
    for (const auto& [id, launch] : launches_) all.insert(all.end(), launch.problems().begin(), launch.problems().end());
    const auto counts = count_problems();
    all.insert(all.end(), counts.begin(), counts.end());
    return each_once(all);
  }

 private:
  using Key = std::pair<std::string, std::string>;  // launch, arm

  void check(const std::function<void()>& body) {
    const auto found = failures_of(body);
    problems_.insert(problems_.end(), found.begin(), found.end());
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  void check_files() {
    for (const auto* name : {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns,
                             folder_file::kMetrics, folder_file::kSteps, folder_file::kBlocks}) {
      if (!fs::exists(file(name))) problems_.push_back(file(name) + " is missing");
    }
    if (fs::exists(file(folder_file::kParts))) {
      problems_.push_back("note: " + file(folder_file::kParts) + " holds the part files of a launch that was not finished");
    }
  }

  void check_manifest() {
    const auto add = [this](const std::vector<std::string>& found) {
      problems_.insert(problems_.end(), found.begin(), found.end());
    };
    if (is_complete_) add(report_problems(path_));
    const auto manifest = Manifest::read(path_);
    add(FolderState(path_, manifest, Check::kSums).problems());
  }

  void check_environment() {
    const auto path = file(folder_file::kEnvironment);
    const auto json = read_environment(path_);
    if (!json.contains("schema_version")) {
      problems_.push_back(path + " has no schema_version");
    } else if (json["schema_version"] != kSchemaVersion) {
      problems_.push_back(path + ": schema_version is " + json["schema_version"].dump() + ", this program's is " +
                          std::to_string(kSchemaVersion));
    } else {
      arms_ = recorded_vocabulary(json, path);
    }
  }

  template <class Row>
  void check_header(const std::string& text, const std::string& origin) {
    if (const auto why = why_no_header(text, csv_header<Row>()); !why.empty()) problems_.push_back(origin + ":1: " + why);
  }

  template <class Row>
  void check_csv(const char* name, std::vector<Row>& rows) {
    if (!fs::exists(file(name))) return;
    const auto text = read_file(file(name), kLargestTableBytes);
    check_header<Row>(text, file(name));
    rows = read_csv_text<Row>(text, file(name));
    if constexpr (kIsRecorded<Row>) check_values(name, rows);
  }

  template <class Row>
  void check_optional(const char* name) {
    std::vector<Row> rows;
    check_csv<Row>(name, rows);
    if (fs::exists(file(name)) && Manifest::is_in(path_) && Manifest::read(path_).rows_of(name).empty())
      problems_.push_back("note: " + file(name) + " stands in no line of " + kManifestFile +
                          ": its checksum is not known, only its values are checked");
  }

  // The first of a file: what made it is likely to have made more.
  template <class Row>
  void check_values(const char* name, const std::vector<Row>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto problem = value_problem(rows[i]);
      if (problem.empty()) continue;
      problems_.push_back(file(name) + ": row " + std::to_string(i + 1) + ": " + problem);
      return;
    }
  }

  void check_estimates() {
    if (!is_complete_) return;
    std::vector<OverheadRow> overhead;
    check_csv<OverheadRow>("overhead.csv", overhead);
    std::vector<ScalingRow> scaling;
    check_csv<ScalingRow>("scaling.csv", scaling);
  }

  void check_against_plan() {
    std::map<std::string, const PlanRow*> planned;
    for (const auto& launch : plan_) planned[launch.launch_id] = &launch;
    std::set<Key> seen;
    for (const auto& run : runs_) {
      if (!seen.insert({run.launch_id, run.arm}).second) complain(run, "stands twice in runs.csv");
      const auto launch = planned.find(run.launch_id);
      if (launch == planned.end()) {
        complain(run, "is not in plan.csv");
      } else {
        check_run(run, *launch->second);
      }
    }
    std::vector<std::string> never_ran;
    for (const auto& launch : plan_) check_planned(launch, seen, never_ran);
    for (std::size_t i = 0; i < std::min(never_ran.size(), kMostNamed); ++i)
      problems_.push_back("launch " + never_ran[i] + " is planned and has no row in runs.csv: it never ran");
    if (never_ran.size() > kMostNamed)
      problems_.push_back(std::to_string(never_ran.size() - kMostNamed) + " more launches are planned and never ran");
  }
  void check_run(const RunRow& run, const PlanRow& launch) {
    if (!arms_of(launch).contains(run.arm)) complain(run, "is no arm of that launch in plan.csv");
    if (!holds(kStatuses, run.status))
      complain(run, "has the status '" + run.status + "' (known: " + join(kStatuses, ", ") + ")");
    for (const auto& axis : standard_axes()) {
      if (!same_value(axis, run, launch)) differs(run, axis.name, text_of(axis, run), text_of(axis, launch));
    }
    if (run.cell_id != launch.cell_id) differs(run, "cell_id", run.cell_id, launch.cell_id);
    if (run.repetition != launch.repetition) {
      differs(run, "repetition", std::to_string(run.repetition), std::to_string(launch.repetition));
    }
  }
  void differs(const RunRow& run, const std::string& column, const std::string& ran, const std::string& planned) {
    complain(run, "has " + column + " = " + ran + " in runs.csv, " + planned + " in plan.csv");
  }
  void check_planned(const PlanRow& launch, const std::set<Key>& seen, std::vector<std::string>& never_ran) {
    if (launch.status_planned == status::kSkipped || !is_complete_) return;
    const auto arms = arms_of(launch);
    std::vector<std::string> missing;
    for (const auto& arm : arms) {
      if (!seen.contains({launch.launch_id, arm})) missing.push_back(arm);
    }
    if (!missing.empty() && missing.size() == arms.size()) {
      never_ran.push_back(launch.launch_id);
      return;
    }
    for (const auto& arm : missing)
      problems_.push_back("launch " + launch.launch_id + ", arm " + arm + " is planned and has no row in runs.csv: it never ran");
  }
  static std::set<std::string> arms_of(const PlanRow& launch) {
    std::set<std::string> arms;
    for (std::size_t begin = 0; begin < launch.arms.size();) {
      const auto end = std::min(launch.arms.find(' ', begin), launch.arms.size());
      if (end > begin) arms.insert(launch.arms.substr(begin, end - begin));
      begin = end + 1;
    }
    return arms;
  }
  void complain(const RunRow& run, const std::string& what) {
    problems_.push_back("launch " + run.launch_id + ", arm " + run.arm + " " + what);
  }

  void make_launches() {
    for (const auto& row : plan_) launches_.try_emplace(row.launch_id, row.launch_id, row.world_size());
    for (const auto& row : runs_) launches_.try_emplace(row.launch_id, row.launch_id, 0);
  }

  template <class Row>
  void read_samples(const char* name) {
    if (!fs::exists(file(name))) return;
    const auto folder = ResultsFolder::open(path_);
    std::mutex finding;
    std::map<std::string, std::vector<std::string>> problems;  // of launches
    const auto each = [&](const std::string& launch_id, const std::string& csv) {
      auto* found = launch(launch_id);
      if (found == nullptr) return;
      const auto failures = failures_of([&] { read_launch<Row>(csv, file(name) + " (launch " + launch_id + ")", *found); });
      const std::lock_guard lock(finding);
      problems[launch_id] = failures;
    };
    if constexpr (std::is_same_v<Row, StepRow>) {
      folder.for_each_launch_steps(each, reading_threads());
    } else {
      folder.for_each_launch_blocks(each, reading_threads());
    }
    for (const auto& [launch_id, found] : problems) problems_.insert(problems_.end(), found.begin(), found.end());
    ++files_read_;
  }
  template <class Row>
  static void read_launch(const std::string& csv, const std::string& origin, LaunchCheck& launch) {
    launch.begin<Row>(csv, origin);
    for_each_csv_row<Row>(csv, origin, [&](const Row& row) { launch.add(row); });
    launch.end<Row>();
  }

  std::vector<std::string> count_problems() const {
    if (files_read_ < 2) return {};  // said already
    std::vector<std::string> found;
    const auto repetitions = blocks_per_arm();
    for (const auto& run : runs_) {
      const auto ranks = run.world_size();
      const auto blocks = run.super_blocks * repetitions.at({run.launch_id, run.arm}) * ranks;
      const auto rows = launches_.at(run.launch_id).rows_of(run.arm);
      for (const auto& [what, read, expected] : {Expectation{"timed steps", rows.timed_steps, run.steps * ranks},
                                                 {"switching steps", rows.switching_steps, blocks},
                                                 {"blocks", rows.blocks, blocks}}) {
        if (read == expected) continue;
        found.push_back("launch " + run.launch_id + ", arm " + run.arm + " has " + std::to_string(read) + " rows of " + what +
                        " where runs.csv says " + std::to_string(expected));
      }
    }
    return found;
  }
  struct Expectation {
    const char* what;
    std::int64_t read, expected;
  };
  std::map<Key, std::int64_t> blocks_per_arm() const {
    std::map<Key, std::int64_t> found;
    for (const auto& run : runs_) found[{run.launch_id, run.arm}] = 1;  // one that is not in the plan is said elsewhere
    for (const auto& launch : plan_) {
      const auto names = arms_of(launch);
      const auto arms = arm_facts(arms_, std::vector<std::string>(names.begin(), names.end()));
      const auto blocks = blocks_in_super_block(arms);
      for (std::size_t i = 0; i < arms.size(); ++i) found[{launch.launch_id, arms[i].name}] = blocks[i];
    }
    return found;
  }

  std::string path_;
  bool is_complete_;  // also what a report wrote, and what never ran
  Vocabulary arms_;
  std::vector<std::string> problems_;
  std::vector<PlanRow> plan_;
  std::vector<RunRow> runs_;
  std::map<std::string, LaunchCheck> launches_;
  int files_read_ = 0;
};

FolderCheck::FolderCheck(const std::string& path, Scope scope) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  implementation_ = std::make_unique<Implementation>(path, scope);
}
FolderCheck::~FolderCheck() = default;
LaunchCheck* FolderCheck::launch(const std::string& launch_id) { return implementation_->launch(launch_id); }
void FolderCheck::read_samples() { implementation_->read_samples(); }
void FolderCheck::samples_were_read() { implementation_->samples_were_read(); }
std::vector<std::string> FolderCheck::problems() const { return implementation_->problems(); }

std::vector<std::string> verify_results_folder(const std::string& path, FolderCheck::Scope scope) {
  FolderCheck check(path, scope);
  check.read_samples();
  return check.problems();
}

}  // namespace ddpbench
