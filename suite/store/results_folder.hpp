#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/store/rows.hpp"

namespace ddpbench {

// How one launch ended, as the driver saw it; what ResultsFolder::commit stores of it.
struct LaunchResult {
  std::vector<RunRow> runs;  // one per arm; steps_bytes and blocks_bytes are filled by commit
  std::string steps_csv;     // rows without header
  std::string blocks_csv;
  std::vector<MetricRow> metrics;
};

// A results folder (CONTRACT, "A results folder"). One writer at a time. Samples are appended as one gzip member per launch, synced,
// and only then does runs.csv (written whole, by rename) name their new lengths: a launch is either in all files or in none.
class ResultsFolder {
 public:
  // A fresh folder: makes it, writes experiment.toml, plan.csv and environment.json. Throws UsageError where `path` exists and is not
  // empty, CannotRun where it cannot be written (with the system's reason).
  static ResultsFolder create(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                              const nlohmann::ordered_json& environment);

  // For --resume: checks that the folder holds the same experiment and plan (UsageError naming the first difference otherwise) and
  // truncates the sample files to the last committed length.
  static ResultsFolder resume(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan);

  // For reading only. Throws UsageError where `path` is not a results folder.
  static ResultsFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<RunRow>& runs() const { return runs_; }
  std::vector<PlanRow> plan() const;
  std::vector<MetricRow> metrics() const;
  nlohmann::ordered_json environment() const;
  std::string experiment_toml() const;

  // Launches whose every arm ended as ok or skipped: --resume leaves them alone.
  bool is_finished(const std::string& launch_id) const;

  // Adds one launch (replacing an earlier unfinished try's rows in runs.csv). Throws Error("disk full …") and the like with the
  // system's reason; nothing of this launch is then readable.
  void commit(LaunchResult result);

  // The decompressed text (header and rows) of every committed member, in order of launches.
  std::string read_steps() const;
  std::string read_blocks() const;

  // Folder for a launch's part files, made on demand; removed by remove_parts.
  std::string make_part_dir(const std::string& launch_id);
  void remove_parts(const std::string& launch_id);

 private:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
  std::vector<RunRow> runs_;
};

}  // namespace ddpbench
