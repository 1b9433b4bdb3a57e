#include "suite/store/verify_folder.hpp"

#include <algorithm>
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
#include "suite/contract/arm_facts.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/recorded_arms.hpp"
#include "suite/contract/status.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// Each check adds what it found; one that cannot go on throws, and the next is run all the same.
class Verifier {
 public:
  explicit Verifier(std::string path) : path_(std::move(path)) {}

  std::vector<std::string> verify() {
    check([this] { check_files(); });
    check([this] { check_environment(); });
    check([this] { check_csv<PlanRow>(folder_file::kPlan, plan_); });
    check([this] { check_csv<RunRow>(folder_file::kRuns, runs_); });
    check([this] {
      std::vector<MetricRow> rows;
      check_csv<MetricRow>(folder_file::kMetrics, rows);
    });
    check([this] { check_estimates(); });
    check([this] { check_against_plan(); });
    check([this] { check_samples<StepRow>(folder_file::kSteps, &RunRow::steps_bytes, &Verifier::count_step); });
    check([this] { check_samples<BlockRow>(folder_file::kBlocks, &RunRow::blocks_bytes, &Verifier::count_block); });
    check([this] { check_counts(); });
    return problems_;
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
      problems_.emplace_back(error.what());
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

  void check_environment() {
    const auto path = file(folder_file::kEnvironment);
    const auto json = nlohmann::ordered_json::parse(read_file(path), nullptr, false);
    if (!json.is_object()) throw UsageError(path + " is not a JSON object");
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
    const auto checksums = json.value("checksums", nlohmann::ordered_json::object());
    for (const auto& [name, sum] : checksums.items()) {
      if (fs::exists(file(name)) && text_checksum(read_file(file(name))) != sum) {
        problems_.push_back(file(name) + " was changed since the run began (its checksum is another)");
      }
    }
  }

  template <class Row>
  void check_header(const std::string& text, const std::string& origin) {
    const auto expected = csv_header<Row>();
    if (text.compare(0, expected.size(), expected) != 0) problems_.push_back(origin + ":1: the header is not this schema's");
  }

  template <class Row>
  void check_csv(const char* name, std::vector<Row>& rows) {
    if (!fs::exists(file(name))) return;
    const auto text = read_file(file(name));
    check_header<Row>(text, file(name));
    rows = read_csv_text<Row>(text, file(name));
  }

  void check_estimates() {
    if (is_of_an_earlier_release()) return;  // their columns were others
    std::vector<OverheadRow> overhead;
    check_csv<OverheadRow>("overhead.csv", overhead);
    std::vector<ScalingRow> scaling;
    check_csv<ScalingRow>("scaling.csv", scaling);
  }

  void check_against_plan() {
    std::map<std::string, std::set<std::string>> planned;
    for (const auto& launch : plan_) planned[launch.launch_id] = arms_of(launch);
    std::set<Key> seen;
    for (const auto& run : runs_) {
      if (!seen.insert({run.launch_id, run.arm}).second) complain(run, "stands twice in runs.csv");
      const auto launch = planned.find(run.launch_id);
      if (launch == planned.end()) {
        complain(run, "is not in plan.csv");
      } else if (!launch->second.contains(run.arm)) {
        complain(run, "is no arm of that launch in plan.csv");
      }
    }
    for (const auto& launch : plan_) check_planned(launch, seen);
  }
  void check_planned(const PlanRow& launch, const std::set<Key>& seen) {
    if (launch.status_planned == status::kSkipped) return;
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
  void check_samples(const char* name, std::int64_t RunRow::*bytes, void (Verifier::*count)(const Row&)) {
    if (!fs::exists(file(name))) return;
    check_length(name, bytes);
    const auto folder = ResultsFolder::open(path_);
    const auto each = [&](const std::string& launch_id, const std::string& csv) {
      const auto origin = file(name) + " (launch " + launch_id + ")";
      check_header<Row>(csv, origin);
      for_each_csv_row<Row>(csv, origin, [&](const Row& row) { (this->*count)(row); });
    };
    if constexpr (std::is_same_v<Row, StepRow>) {
      folder.for_each_launch_steps(each);
    } else {
      folder.for_each_launch_blocks(each);
    }
    samples_read_ += 1;
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
  void count_step(const StepRow& row) {
    if (row.super_block == 0) return;
    auto& counts = counts_[{row.launch_id, row.arm}];
    (row.step == 0 ? counts.switches : counts.timed) += 1;
  }
  void count_block(const BlockRow& row) { counts_[{row.launch_id, row.arm}].blocks += row.super_block > 0 ? 1 : 0; }

  void check_counts() {
    if (samples_read_ < 2) return;  // said already
    const auto repetitions = blocks_per_arm();
    for (const auto& run : runs_) {
      const auto ranks = run.nodes * run.ranks_per_node;
      const auto repeated = is_of_an_earlier_release() ? 1 : repetitions.at({run.launch_id, run.arm});
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
  int schema_version_ = kSchemaVersion;
  Vocabulary arms_;
  std::vector<std::string> problems_;
  std::vector<PlanRow> plan_;
  std::vector<RunRow> runs_;
  std::map<Key, Counts> counts_;
  int samples_read_ = 0;
};

}  // namespace

std::vector<std::string> verify_results_folder(const std::string& path) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  return Verifier(path).verify();
}

}  // namespace ddpbench
