#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/store/folder_writer.hpp"
#include "suite/store/sample_file.hpp"

namespace ddpbench {

// Names the files of a results folder.
namespace folder_file {
inline constexpr const char* kExperiment = "experiment.toml";    // the effective experiment
inline constexpr const char* kEnvironment = "environment.json";  // facts of the machine and of each launch
inline constexpr const char* kPlan = "plan.csv";                 // PlanRow
inline constexpr const char* kRuns = "runs.csv";                 // RunRow
inline constexpr const char* kMetrics = "metrics.csv";           // MetricRow
inline constexpr const char* kSteps = "steps.csv.gz";            // StepRow, a gzip member for each launch
inline constexpr const char* kBlocks = "blocks.csv.gz";          // BlockRow, likewise
inline constexpr std::array kSamples{kSteps, kBlocks};           // the files of gzip members
inline constexpr const char* kNodeChecks = "node_checks.csv";    // what the nodes could do before the sweep
inline constexpr const char* kCollectiveSamples =
    "collectives_samples.csv";                                   // block by block, of launches of purpose `collectives`
inline constexpr const char* kProfiles = "profiles.csv";         // ProfileRow, rank by rank
inline constexpr const char* kTraceParts = "trace_parts.csv";    // TracePartRow, of the same launches
inline constexpr const char* kTraceMemory = "trace_memory.csv";  // TraceMemoryRow, of those that recorded memory
inline constexpr std::array kOptional{kNodeChecks, kCollectiveSamples, kProfiles, kTraceParts,
                                      kTraceMemory};     // there once there are rows for them
inline constexpr const char* kTraces = "profiles";       // the folder of their files
inline constexpr const char* kManifest = kManifestFile;  // ManifestRow
inline constexpr const char* kParts = "parts";           // a folder; there while a launch runs
}  // namespace folder_file

// Holds how one launch ended, as the driver saw it; what ResultsFolder::commit stores of it.
struct LaunchResult {
  std::vector<RunRow> runs;  // one per arm; attempt, steps_bytes and blocks_bytes are filled by commit
  std::string steps_csv;     // rows without header
  std::string blocks_csv;
  std::vector<MetricRow> metrics;
  std::map<std::string, std::string> facts;  // name -> value, for `launches` in environment.json
};

// Holds what a launch of purpose `profile` left.
struct RecordedTraces {
  std::vector<ProfileRow> ranks;             // a row for each rank that was to record
  std::vector<TracePartRow> parts;           // where their steps go
  std::vector<TraceMemoryRow> memory;        // of a typical step each
  std::map<std::string, std::string> files;  // what the files that `ranks` names hold, by name from the folder on
};

// Reads and writes a results folder (docs/contract.md "A results folder"). One writer at a time. Samples are appended as one gzip
// member per launch, synced, and only then does runs.csv (written whole, by rename) hold the launch: it is either in all files or
// in none, whenever the program ends. manifest.csv says what stands in the folder, with checksums (Manifest); what stands in no
// line of it was never committed. The first member of a sample file is its header line. A launch that did not end well can be
// attempted again: then the rows of its earlier attempt are removed.
class ResultsFolder {
 public:
  // Makes a fresh folder, writes experiment.toml, plan.csv and environment.json (to which it adds `schema_version`), the manifest
  // last. Throws UsageError where `path` exists and is not empty, CannotRun where it cannot be written (with the system's
  // reason).
  static ResultsFolder create(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                              const nlohmann::ordered_json& environment);

  // Does the same in a folder that is half made, whose files go first.
  static ResultsFolder create_anew(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                                   const nlohmann::ordered_json& environment);

  // Returns whether `path` holds nothing but what `create` writes before the folder is one: its program was ended there, or the
  // disk was full.
  static bool is_half_made(const std::string& path);
  static std::string half_made_text(const std::string& path);  // what a person is told of it

  // Takes a folder over for --resume (FolderWriter), if it is whole and holds the same experiment and plan; throws UsageError
  // naming the first difference otherwise (what depends on the machine, commands and skips, may differ). A plan of more launches
  // extends the folder.
  static ResultsFolder resume(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan);

  // Opens a folder for reading only. Throws UsageError where `path` is not a results folder, or one of a later schema.
  static ResultsFolder open(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<RunRow>& runs() const { return runs_; }
  std::vector<PlanRow> plan() const;
  std::vector<MetricRow> metrics() const;         // of the launches in runs()
  std::vector<NodeCheckRow> node_checks() const;  // these four: none where there is no such file
  std::vector<CollectiveSampleRow> collective_samples() const;
  std::vector<ProfileRow> profiles() const;
  std::vector<TracePartRow> trace_parts() const;
  std::vector<TraceMemoryRow> trace_memory() const;
  nlohmann::ordered_json environment() const;
  std::string experiment_toml() const;

  // Returns whether every arm of the launch ended as ok or skipped: --resume leaves it alone.
  bool is_finished(const std::string& launch_id) const;

  // Adds one launch, or several that left no samples; removes the rows of earlier attempts first. Throws Error("disk full …") and
  // the like with the system's reason; nothing of this launch is then readable, and it can be committed again.
  void commit(LaunchResult result);

  // Adds a launch that trains nothing, and so has no row in runs.csv: its facts stand among the others' in environment.json, its
  // blocks behind those that are there, in the place of an earlier attempt's. Of a launch that failed: those of the cases that
  // were through.
  void commit_collectives(const std::string& launch_id, const std::map<std::string, std::string>& facts,
                          const std::vector<CollectiveSampleRow>& blocks);

  // Adds a launch of purpose `profile`, which has no row in runs.csv, in the place of an earlier attempt's.
  void commit_profile(const std::string& launch_id, const std::map<std::string, std::string>& facts,
                      const RecordedTraces& traces);

  // Adds what a run or a resumption saw of its nodes, behind what stands there.
  void add_node_checks(const std::vector<NodeCheckRow>& rows);

  // Plans more launches: those that were planned before stand first in the plan, as they were. Throws UsageError where they do
  // not.
  void extend(const std::string& experiment_toml, const std::vector<PlanRow>& plan);

  // Holds an entry of `looks` in environment.json: when, after how many launches of a cell, and how many verdicts were open. A
  // repeat at the same count adds none.
  struct InterimLook {
    std::string utc;
    std::int64_t launches = 0, open = 0;
  };
  void note_look(const InterimLook& look);
  std::int64_t looks_taken() const;

  // Writes the final manifest after the last commit: every byte of the folder is held by one checksum from then on.
  void close();

  // Returns the decompressed text (header and rows) of every committed launch, in order of launches.
  std::string read_steps() const;
  std::string read_blocks() const;

  // Reads the same launch by launch, each with the header before it: a large folder never stands in memory whole. On several
  // threads `each` is called by all of them, in any order of launches.
  using EachLaunch = SampleFile::EachLaunch;
  void for_each_launch_steps(const EachLaunch& each, std::size_t threads = 1) const;
  void for_each_launch_blocks(const EachLaunch& each, std::size_t threads = 1) const;

  // Makes an empty folder for a launch's part files; remove_parts removes it.
  std::string make_part_dir(const std::string& launch_id);
  void remove_parts(const std::string& launch_id);

 private:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}
  static ResultsFolder fill(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                            const nlohmann::ordered_json& environment);
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  SampleFile samples(const char* sample_file, std::int64_t RunRow::*bytes) const;
  SampleFile::Ends ends(const char* sample_file, std::int64_t RunRow::*bytes) const;
  SampleFile::Ends ends_in_order(const char* sample_file, std::int64_t RunRow::*bytes) const;
  SampleFile::Ends ends_in(const Manifest& manifest, const char* sample_file) const;
  std::int64_t next_attempt(const std::string& launch_id) const;
  void forget(const std::set<std::string>& launch_ids);
  void append_samples(LaunchResult& result);
  std::string environment_with(const std::string& launch_id, const std::map<std::string, std::string>& facts) const;

  std::string path_;
  std::vector<RunRow> runs_;
  std::shared_ptr<FolderWriter> writer_;  // writers only
};

}  // namespace ddpbench
