#include "suite/store/verify_folder.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <utility>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/arm_facts.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/recorded_arms.hpp"
#include "suite/contract/status.hpp"
#include "suite/store/blocks_against_steps.hpp"
#include "suite/store/environment_file.hpp"
#include "suite/store/folder_state.hpp"
#include "suite/store/report_manifest.hpp"
#include "suite/store/results_folder.hpp"
#include "suite/store/row_values.hpp"
#include "suite/store/sample_rows.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kLargestTableBytes = std::int64_t{1} << 30;
constexpr std::array<std::string_view, 5> kStatuses{status::kOk, status::kSkipped, status::kFailed, status::kWrongResult,
                                                    status::kPartial};

// Which a run writes; the others are made of them.
template <class Row>
constexpr bool kIsRecorded = !std::is_same_v<Row, OverheadRow> && !std::is_same_v<Row, ScalingRow>;

// Two checks may find the same.
std::vector<std::string> each_once(const std::vector<std::string>& sentences) {
  std::vector<std::string> once;
  for (const auto& sentence : sentences) {
    if (!holds(once, sentence)) once.push_back(sentence);
  }
  return once;
}

// Each check adds what it found; one that cannot go on throws, and the next is run all the same.
class Verifier {
 public:
  Verifier(std::string path, bool is_complete) : path_(std::move(path)), is_complete_(is_complete) {}

  std::vector<std::string> verify() {
    if (ResultsFolder::is_half_made(path_)) return {ResultsFolder::half_made_text(path_)};
    check([this] { check_files(); });
    check([this] { check_environment(); });
    check([this] { check_manifest(); });
    check([this] { check_csv<PlanRow>(folder_file::kPlan, plan_); });
    check([this] { check_csv<RunRow>(folder_file::kRuns, runs_); });
    check([this] {
      std::vector<MetricRow> rows;
      check_csv<MetricRow>(folder_file::kMetrics, rows);
    });
    check([this] { check_estimates(); });
    check([this] { check_against_plan(); });
    check([this] { check_samples<StepRow>(folder_file::kSteps, &RunRow::steps_bytes); });
    check([this] { check_samples<BlockRow>(folder_file::kBlocks, &RunRow::blocks_bytes); });
    check([this] { check_counts(); });
    return each_once(problems_);
  }

 private:
  struct Counts {
    std::int64_t timed = 0, switches = 0, blocks = 0;
  };
  using Key = std::pair<std::string, std::string>;  // launch, arm

  void check(const std::function<void()>& body) {
    try {
      body();
    } catch (const UsageError& error) {
      problems_.insert(problems_.end(), error.messages().begin(), error.messages().end());
    } catch (const std::exception& error) {
      problems_.push_back(failure_text(error));
    }
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
    if (schema_version_ < kFirstWithManifest && !Manifest::is_in(path_)) return;
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
    schema_version_ = json.value("schema_version", kSchemaVersion);
    if (!json.contains("schema_version")) {
      problems_.push_back(path + " has no schema_version");
    } else if (is_of_an_earlier_release()) {
      problems_.push_back("note: " + path + ": schema_version is " + json["schema_version"].dump() +
                          ", an earlier one than this program's " + std::to_string(kSchemaVersion) +
                          "; `report` writes its tables anew");
    } else if (schema_version_ != kSchemaVersion) {
      problems_.push_back(path + ": schema_version is " + json["schema_version"].dump() + ", this program's is " +
                          std::to_string(kSchemaVersion));
    }
    arms_ = recorded_arms(json, path);
    check_older_checksums(json.value("checksums", nlohmann::ordered_json::object()));
  }

  // Of a folder that was begun before there were manifests.
  void check_older_checksums(const nlohmann::ordered_json& checksums) {
    for (const auto& [name, sum] : checksums.items()) {
      if (fs::exists(file(name)) && sum_of_file(file(name)).crc32 != sum) {
        problems_.push_back(file(name) + " was altered since the run began (its checksum is another)");
      }
    }
  }

  template <class Row>
  void check_header(const std::string& text, const std::string& origin) {
    if (is_of_an_earlier_release()) return;  // its reader names what it lacks
    const auto expected = csv_header<Row>();
    if (text.compare(0, expected.size(), expected) != 0) problems_.push_back(origin + ":1: the header is not this schema's");
  }

  template <class Row>
  void check_csv(const char* name, std::vector<Row>& rows) {
    if (!fs::exists(file(name))) return;
    const auto text = read_file(file(name), kLargestTableBytes);
    check_header<Row>(text, file(name));
    rows = read_csv_text<Row>(text, file(name));
    if constexpr (kIsRecorded<Row>) check_values(name, rows);
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
    if (is_of_an_earlier_release() || !is_complete_) return;  // their columns were others
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
    for (const auto& launch : plan_) check_planned(launch, seen);
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
  void check_planned(const PlanRow& launch, const std::set<Key>& seen) {
    if (launch.status_planned == status::kSkipped || !is_complete_) return;
    for (const auto& arm : arms_of(launch)) {
      if (!seen.contains({launch.launch_id, arm})) {
        problems_.push_back("launch " + launch.launch_id + ", arm " + arm +
                            " is planned and has no row in runs.csv: it never ran");
      }
    }
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

  template <class Row>
  void check_samples(const char* name, std::int64_t RunRow::*bytes) {
    if (!fs::exists(file(name))) return;
    if (schema_version_ < kFirstWithManifest) check_length(name, bytes);
    const auto folder = ResultsFolder::open(path_);
    const auto each = [&](const std::string& launch_id, const std::string& csv) {
      check([&] { check_launch<Row>(launch_id, csv, file(name) + " (launch " + launch_id + ")"); });
    };
    if constexpr (std::is_same_v<Row, StepRow>) {
      folder.for_each_launch_steps(each);
    } else {
      folder.for_each_launch_blocks(each);
    }
    samples_read_ += 1;
  }

  // The first thing that is wrong with a launch's rows; all of them are counted.
  template <class Row>
  void check_launch(const std::string& launch_id, const std::string& csv, const std::string& origin) {
    check_header<Row>(csv, origin);
    LaunchRows<Row> launch(launch_id, ranks_of(launch_id));
    std::int64_t number = 0;
    std::string first;
    for_each_csv_row<Row>(csv, origin, [&](const Row& row) {
      ++number;
      count(row);
      if (!first.empty()) return;
      first = launch.problem_of(row, schema_version_);
      if (!first.empty()) first = origin + ": row " + std::to_string(number) + ": " + first;
    });
    if (!first.empty()) problems_.push_back(first);
  }
  std::int64_t ranks_of(const std::string& launch_id) const {
    const auto launch = std::find_if(plan_.begin(), plan_.end(), [&](const PlanRow& row) { return row.launch_id == launch_id; });
    return launch == plan_.end() ? 0 : launch->nodes * launch->ranks_per_node;
  }
  void check_length(const char* name, std::int64_t RunRow::*bytes) {
    std::int64_t committed = 0;
    for (const auto& run : runs_) committed = std::max(committed, run.*bytes);
    const auto real = static_cast<std::int64_t>(fs::file_size(file(name)));
    if (committed == 0 || real == committed) return;
    const auto difference = std::to_string(std::abs(real - committed));
    problems_.push_back(real > committed
                            ? "note: " + file(name) + " holds " + difference + " bytes behind the last committed launch"
                            : file(name) + " is " + difference + " bytes shorter than runs.csv says");
  }
  void count(const StepRow& row) {
    if (row.super_block == 0) return;
    auto& counts = counts_[{row.launch_id, row.arm}];
    counts.switches += row.step == 0 ? 1 : 0;
    counts.timed += row.step > 0 ? 1 : 0;
    both_.add(row);
  }
  void count(const BlockRow& row) {
    counts_[{row.launch_id, row.arm}].blocks += row.super_block > 0 ? 1 : 0;
    both_.add(row);
  }

  void check_counts() {
    if (samples_read_ < 2) return;  // said already
    const auto contradictions = both_.problems();
    problems_.insert(problems_.end(), contradictions.begin(), contradictions.end());
    const auto repetitions = blocks_per_arm();
    for (const auto& run : runs_) {
      const auto ranks = run.nodes * run.ranks_per_node;
      const auto repeated = schema_version_ < kFirstWithRepeatedBlocks ? 1 : repetitions.at({run.launch_id, run.arm});
      const auto blocks = run.super_blocks * repeated * ranks;
      const auto& counts = counts_[{run.launch_id, run.arm}];
      require(run, {"timed steps", counts.timed, run.steps * ranks});
      require(run, {"switching steps", counts.switches, blocks});
      require(run, {"blocks", counts.blocks, blocks});
    }
  }
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
  struct Expectation {
    const char* what;
    std::int64_t found, expected;
  };
  void require(const RunRow& run, const Expectation& rows) {
    if (rows.found == rows.expected) return;
    complain(run, "has " + std::to_string(rows.found) + " rows of " + rows.what + " where runs.csv says " +
                      std::to_string(rows.expected));
  }

  bool is_of_an_earlier_release() const { return schema_version_ >= 1 && schema_version_ < kSchemaVersion; }

  std::string path_;
  bool is_complete_;  // also what a report wrote, and what never ran
  int schema_version_ = kSchemaVersion;
  Vocabulary arms_;
  std::vector<std::string> problems_;
  std::vector<PlanRow> plan_;
  std::vector<RunRow> runs_;
  std::map<Key, Counts> counts_;
  BlocksAgainstSteps both_;
  int samples_read_ = 0;
};

}  // namespace

std::vector<std::string> verify_results_folder(const std::string& path) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  return Verifier(path, true).verify();
}

std::vector<std::string> verify_samples(const std::string& path) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  return Verifier(path, false).verify();
}

}  // namespace ddpbench
