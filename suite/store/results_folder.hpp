#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/contract/rows.hpp"
#include "suite/store/folder_lock.hpp"
#include "suite/store/sample_file.hpp"

namespace ddpbench {

// The files of a results folder, by name.
namespace folder_file {
inline constexpr const char* kExperiment = "experiment.toml";
inline constexpr const char* kEnvironment = "environment.json";
inline constexpr const char* kPlan = "plan.csv";
inline constexpr const char* kRuns = "runs.csv";
inline constexpr const char* kMetrics = "metrics.csv";
inline constexpr const char* kSteps = "steps.csv.gz";
inline constexpr const char* kBlocks = "blocks.csv.gz";
inline constexpr const char* kParts = "parts";  // a folder; there while a launch runs
}  // namespace folder_file

// How one launch ended, as the driver saw it; what ResultsFolder::commit stores of it.
struct LaunchResult {
  std::vector<RunRow> runs;  // one per arm; steps_bytes and blocks_bytes are filled by commit
  std::string steps_csv;     // rows without header
  std::string blocks_csv;
  std::vector<MetricRow> metrics;
  std::map<std::string, std::string> facts;  // name -> value, for `launches` in environment.json
};

// A results folder (docs/contract.md "A results folder"). One writer at a time. Samples are appended as one gzip member per launch,
// synced, and only then does runs.csv (written whole, by rename) name their new lengths: a launch is either in all files or in
// none. The first member of a sample file is its header line. A launch that failed and was run again leaves its first member
// behind, below the committed length; the readers here know it by its end, which no row of runs.csv names for that launch.
class ResultsFolder {
 public:
  // A fresh folder: makes it, writes experiment.toml, plan.csv and environment.json (to which it adds `schema_version` and
  // `checksums`). Throws UsageError where `path` exists and is not empty, CannotRun where it cannot be written (with the
  // system's reason).
  static ResultsFolder create(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                              const nlohmann::ordered_json& environment);

  // For --resume: checks that the folder holds the same experiment and plan (UsageError naming the first difference otherwise;
  // what depends on the machine, commands and skips, may differ) and truncates the sample files to the last committed length.
  static ResultsFolder resume(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan);

  // For reading only. Throws UsageError where `path` is not a results folder, or one of a later schema.
  static ResultsFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<RunRow>& runs() const { return runs_; }
  std::vector<PlanRow> plan() const;
  std::vector<MetricRow> metrics() const;  // of the launches in runs()
  nlohmann::ordered_json environment() const;
  std::string experiment_toml() const;

  // Launches whose every arm ended as ok or skipped: --resume leaves them alone.
  bool is_finished(const std::string& launch_id) const;

  // Adds one launch (replacing an earlier unfinished try's rows in runs.csv). Throws Error("disk full …") and the like with the
  // system's reason; nothing of this launch is then readable.
  void commit(LaunchResult result);

  // The decompressed text (header and rows) of every committed launch, in order of launches.
  std::string read_steps() const;
  std::string read_blocks() const;

  // The same launch by launch, each with the header before it: a large folder never stands in memory whole. On several threads
  // `each` is called by all of them, in any order of launches.
  using EachLaunch = SampleFile::EachLaunch;
  void for_each_launch_steps(const EachLaunch& each, std::size_t threads = 1) const;
  void for_each_launch_blocks(const EachLaunch& each, std::size_t threads = 1) const;

  // Folder for a launch's part files, made on demand, empty; removed by remove_parts.
  std::string make_part_dir(const std::string& launch_id);
  void remove_parts(const std::string& launch_id);

 private:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  SampleFile samples(const char* sample_file, std::int64_t RunRow::*bytes) const;
  std::int64_t committed(const char* sample_file, std::int64_t RunRow::*bytes, const std::string& but_for = "") const;
  void note_facts(const std::string& launch_id, const std::map<std::string, std::string>& facts) const;

  std::string path_;
  std::vector<RunRow> runs_;
  std::shared_ptr<FolderLock> lock_;  // writers only
};

// Hexadecimal CRC-32 of the text, as `checksums` in environment.json holds it for the files that never change.
std::string text_checksum(const std::string& text);

}  // namespace ddpbench
