#include "suite/store/results_folder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/schema.hpp"
#include "suite/store/environment_file.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/store/same_plan.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array kNeeded{folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns};

void make_empty_folder(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) throw UsageError(path + " is a file, not a folder");
  fs::create_directories(path, error);
  if (error) throw CannotRun("cannot make the folder " + path + ": " + error.message());
  const bool empty = fs::is_empty(path, error);
  if (error) throw CannotRun("cannot read the folder " + path + ": " + error.message());
  if (!empty) throw UsageError("the folder " + path + " is not empty: choose another --out, or continue it with --resume");
}

// Names and meanings of columns change with the schema: another one's figures would be misread.
void require_this_schema(const std::string& path, const Json& environment) {
  const auto version = environment.value("schema_version", kSchemaVersion);
  if (version == kSchemaVersion) return;
  throw UsageError(path + " was written by " + (version > kSchemaVersion ? "a later" : "an earlier") + " ddpbench (schema " +
                   std::to_string(version) + ", this one's is " + std::to_string(kSchemaVersion) +
                   "): read it with that version, or measure again");
}

bool is_made_first(const std::string& name) {
  constexpr std::array kFirst{folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kMetrics,
                              folder_file::kSteps,      folder_file::kBlocks,      folder_file::kRuns};
  return name.ends_with(kDraftSuffix) || std::find(kFirst.begin(), kFirst.end(), name) != kFirst.end();
}

void remove_first_files(const std::string& path) {
  std::vector<fs::path> files{fs::directory_iterator(path), fs::directory_iterator()};
  for (const auto& file : files) fs::remove(file);
}

void write_first_files(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                       Json environment) {
  const auto file = [&](const char* name) { return path + "/" + name; };
  environment["schema_version"] = kSchemaVersion;
  replace_file(file(folder_file::kExperiment), experiment_toml);
  replace_file(file(folder_file::kEnvironment), environment_text(environment));
  replace_file(file(folder_file::kPlan), csv_text(plan));
  replace_file(file(folder_file::kMetrics), csv_header<MetricRow>());
  append_gzip_member(file(folder_file::kSteps), 0, csv_header<StepRow>());
  append_gzip_member(file(folder_file::kBlocks), 0, csv_header<BlockRow>());
  replace_file(file(folder_file::kRuns), csv_header<RunRow>());
}

template <class Row>
std::vector<Row> rows_if_there(const std::string& path) {
  return fs::exists(path) ? read_csv_file<Row>(path) : std::vector<Row>{};
}

}  // namespace

ResultsFolder ResultsFolder::create(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                                    const Json& environment) {
  make_empty_folder(path);
  return fill(path, experiment_toml, plan, environment);
}

ResultsFolder ResultsFolder::create_anew(const std::string& path, const std::string& experiment_toml,
                                         const std::vector<PlanRow>& plan, const Json& environment) {
  return fill(path, experiment_toml, plan, environment);
}

ResultsFolder ResultsFolder::fill(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                                  const Json& environment) {
  ResultsFolder folder(path);
  try {
    FolderLock lock(path);
    if (!fs::is_empty(path) && !is_half_made(path))
      throw UsageError("another ddpbench has written to " + path + ": choose another --out");
    remove_first_files(path);
    write_first_files(path, experiment_toml, plan, environment);
    folder.writer_ = std::make_shared<FolderWriter>(FolderWriter::begin(path, std::move(lock)));
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    throw CannotRun(error.what());
  }
  return folder;
}

bool ResultsFolder::is_half_made(const std::string& path) {
  if (!fs::is_directory(path) || fs::is_empty(path) || Manifest::is_in(path)) return false;
  const auto is_other = [](const fs::directory_entry& entry) { return !is_made_first(entry.path().filename().string()); };
  if (std::any_of(fs::directory_iterator(path), fs::directory_iterator(), is_other)) return false;
  const auto runs = path + "/" + folder_file::kRuns;
  return !fs::exists(runs) || read_file(runs) == csv_header<RunRow>();
}

std::string ResultsFolder::half_made_text(const std::string& path) {
  return path + " is incomplete: its run stopped before the first launch. Start it again with --out and --resume";
}

ResultsFolder ResultsFolder::open(const std::string& path) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  if (is_half_made(path)) throw UsageError(half_made_text(path));
  ResultsFolder folder(path);
  for (const auto* name : kNeeded) {
    if (!fs::exists(folder.file(name))) throw UsageError(path + " is not a results folder (it has no " + name + ")");
  }
  require_this_schema(path, folder.environment());
  folder.runs_ = read_csv_file<RunRow>(folder.file(folder_file::kRuns));
  return folder;
}

ResultsFolder ResultsFolder::resume(const std::string& path, const std::string& experiment_toml,
                                    const std::vector<PlanRow>& plan) {
  auto folder = open(path);
  FolderLock lock(path);
  require_same_experiment(folder.file(folder_file::kExperiment), folder.experiment_toml(), experiment_toml);
  require_same_plan(folder.file(folder_file::kPlan), folder.plan(), plan);
  folder.writer_ = std::make_shared<FolderWriter>(FolderWriter::take_over(path, std::move(lock)));
  folder.runs_ = read_csv_file<RunRow>(folder.file(folder_file::kRuns));  // again: under the lock
  fs::remove_all(folder.file(folder_file::kParts));
  if (plan.size() > folder.plan().size() || experiment_toml != folder.experiment_toml()) folder.extend(experiment_toml, plan);
  return folder;
}

void ResultsFolder::extend(const std::string& experiment_toml, const std::vector<PlanRow>& plan) {
  require_same_experiment(file(folder_file::kExperiment), this->experiment_toml(), experiment_toml);
  require_same_plan(file(folder_file::kPlan), this->plan(), plan);
  writer_->exchange(
      {{folder_file::kExperiment, experiment_toml}, {folder_file::kPlan, csv_text(plan)}, {folder_file::kRuns, csv_text(runs_)}});
}

void ResultsFolder::note_look(const InterimLook& look) {
  auto environment = this->environment();
  if (looks_in(environment) > 0 && environment["looks"].back().value("launches", std::int64_t{0}) == look.launches) return;
  environment["looks"].push_back({{"utc", look.utc}, {"launches", look.launches}, {"open", look.open}});
  writer_->exchange({{folder_file::kEnvironment, environment_text(environment)}, {folder_file::kRuns, csv_text(runs_)}});
}

std::vector<PlanRow> ResultsFolder::plan() const { return read_csv_file<PlanRow>(file(folder_file::kPlan)); }

std::vector<MetricRow> ResultsFolder::metrics() const {
  std::set<std::string> committed_ids;
  for (const auto& run : runs_) committed_ids.insert(run.launch_id);
  auto rows = read_csv_file<MetricRow>(file(folder_file::kMetrics));
  std::erase_if(rows, [&](const MetricRow& row) { return !committed_ids.contains(row.launch_id); });
  return rows;
}

std::vector<NodeCheckRow> ResultsFolder::node_checks() const {
  return rows_if_there<NodeCheckRow>(file(folder_file::kNodeChecks));
}

std::vector<CollectiveSampleRow> ResultsFolder::collective_samples() const {
  return rows_if_there<CollectiveSampleRow>(file(folder_file::kCollectiveSamples));
}

std::vector<ProfileRow> ResultsFolder::profiles() const { return rows_if_there<ProfileRow>(file(folder_file::kProfiles)); }

std::vector<TracePartRow> ResultsFolder::trace_parts() const {
  return rows_if_there<TracePartRow>(file(folder_file::kTraceParts));
}

std::vector<TraceMemoryRow> ResultsFolder::trace_memory() const {
  return rows_if_there<TraceMemoryRow>(file(folder_file::kTraceMemory));
}

Json ResultsFolder::environment() const { return read_environment(path_); }

std::string ResultsFolder::experiment_toml() const { return read_file(file(folder_file::kExperiment)); }

bool ResultsFolder::is_finished(const std::string& launch_id) const {
  bool seen = false;
  for (const auto& run : runs_) {
    if (run.launch_id != launch_id) continue;
    seen = true;
    if (run.status != status::kOk && run.status != status::kSkipped) return false;
  }
  return seen;
}

SampleFile ResultsFolder::samples(const char* sample_file, std::int64_t RunRow::*bytes) const {
  return {file(sample_file), ends(sample_file, bytes)};
}

// Without a manifest that can be trusted, which verify says, members stand in the order of runs.csv.
SampleFile::Ends ResultsFolder::ends(const char* sample_file, std::int64_t RunRow::*bytes) const {
  try {
    return ends_in(Manifest::read(path_), sample_file);
  } catch (const UsageError&) {
    return ends_in_order(sample_file, bytes);
  }
}

SampleFile::Ends ResultsFolder::ends_in_order(const char* sample_file, std::int64_t RunRow::*bytes) const {
  SampleFile::Ends ends;
  auto end = SampleFile(file(sample_file), {}).header_bytes();
  for (const auto& run : runs_) {
    if (run.*bytes > 0 && !ends.contains(run.launch_id)) ends[run.launch_id] = end += run.*bytes;
  }
  return ends;
}

SampleFile::Ends ResultsFolder::ends_in(const Manifest& manifest, const char* sample_file) const {
  SampleFile::Ends ends;
  std::map<std::string, std::int64_t> attempts;
  for (const auto& run : runs_) attempts[run.launch_id] = run.attempt;
  const FolderState state(path_, manifest, Check::kPlaces);
  for (const auto& member : state.samples(sample_file).members) {
    const auto run = attempts.find(member.launch_id);
    if (run != attempts.end() && run->second == member.attempt) ends[member.launch_id] = member.end;
  }
  return ends;
}

std::int64_t ResultsFolder::next_attempt(const std::string& launch_id) const {
  std::int64_t attempt = 1;
  for (const auto& run : runs_) attempt = run.launch_id == launch_id ? std::max(attempt, run.attempt + 1) : attempt;
  return attempt;
}

namespace {

std::set<std::string> launches_of(const std::vector<RunRow>& runs) {
  std::set<std::string> ids;
  for (const auto& run : runs) ids.insert(run.launch_id);
  return ids;
}

// Those inside the folder's own: a table that somebody wrote may name any.
std::set<std::string> trace_files_of(const std::vector<ProfileRow>& rows, const std::string& launch_id) {
  std::set<std::string> files;
  for (const auto& row : rows) {
    if (row.launch_id == launch_id) files.insert({row.file, row.steps_file});
  }
  std::erase_if(files, [](const std::string& name) {
    return !name.starts_with(std::string(folder_file::kTraces) + "/") || name.find("..") != std::string::npos;
  });
  return files;
}

template <class Row>
std::vector<Row> without(std::vector<Row> rows, const std::set<std::string>& launch_ids) {
  std::erase_if(rows, [&](const Row& row) { return launch_ids.contains(row.launch_id); });
  return rows;
}

template <class Row>
std::vector<Row> joined(std::vector<Row> rows, const std::vector<Row>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace

void ResultsFolder::commit(LaunchResult result) {
  if (result.runs.empty()) throw Error("a launch without arms cannot be committed");
  for (auto& run : result.runs) run.attempt = next_attempt(run.launch_id);
  forget(launches_of(result.runs));
  append_samples(result);
  auto all_runs = joined(runs_, result.runs);
  std::map<std::string, std::string> texts{{folder_file::kRuns, csv_text(all_runs)}};
  if (!result.metrics.empty()) texts[folder_file::kMetrics] = csv_text(joined(metrics(), result.metrics));
  if (!result.facts.empty()) texts[folder_file::kEnvironment] = environment_with(result.runs.front().launch_id, result.facts);
  writer_->exchange(texts);
  runs_ = std::move(all_runs);
}

void ResultsFolder::commit_collectives(const std::string& launch_id, const std::map<std::string, std::string>& facts,
                                       const std::vector<CollectiveSampleRow>& blocks) {
  std::map<std::string, std::string> texts{{folder_file::kEnvironment, environment_with(launch_id, facts)},
                                           {folder_file::kRuns, csv_text(runs_)}};
  const auto before = collective_samples();
  const auto kept = without(before, {launch_id});
  if (!blocks.empty() || kept.size() < before.size()) texts[folder_file::kCollectiveSamples] = csv_text(joined(kept, blocks));
  writer_->exchange(texts);
}

void ResultsFolder::commit_profile(const std::string& launch_id, const std::map<std::string, std::string>& facts,
                                   const RecordedTraces& traces) {
  auto texts = traces.files;
  auto outdated = trace_files_of(profiles(), launch_id);
  std::erase_if(outdated, [&](const auto& name) { return traces.files.contains(name); });
  texts[folder_file::kEnvironment] = environment_with(launch_id, facts);
  texts[folder_file::kProfiles] = csv_text(joined(without(profiles(), {launch_id}), traces.ranks));
  const auto replace = [&](const char* name, const auto& before, const auto& rows) {
    const auto kept = without(before, {launch_id});
    if (!rows.empty() || kept.size() < before.size()) texts[name] = csv_text(joined(kept, rows));
  };
  replace(folder_file::kTraceParts, trace_parts(), traces.parts);
  replace(folder_file::kTraceMemory, trace_memory(), traces.memory);
  texts[folder_file::kRuns] = csv_text(runs_);
  for (const auto& [name, text] : traces.files) fs::create_directories(fs::path(file(name)).parent_path());
  writer_->exchange(texts);
  writer_->remove(outdated);
}

void ResultsFolder::add_node_checks(const std::vector<NodeCheckRow>& rows) {
  if (rows.empty()) return;
  writer_->exchange({{folder_file::kNodeChecks, csv_text(joined(node_checks(), rows))}, {folder_file::kRuns, csv_text(runs_)}});
}

void ResultsFolder::forget(const std::set<std::string>& launch_ids) {
  auto kept = without(runs_, launch_ids);
  if (kept.size() == runs_.size()) return;
  writer_->forget(launch_ids,
                  {{folder_file::kRuns, csv_text(kept)}, {folder_file::kMetrics, csv_text(without(metrics(), launch_ids))}});
  runs_ = std::move(kept);
}

void ResultsFolder::append_samples(LaunchResult& result) {
  const auto& launch = result.runs.front();
  try {
    const auto steps_bytes = writer_->append(folder_file::kSteps, launch.launch_id, launch.attempt, result.steps_csv);
    const auto blocks_bytes = writer_->append(folder_file::kBlocks, launch.launch_id, launch.attempt, result.blocks_csv);
    for (auto& run : result.runs) {
      run.steps_bytes = steps_bytes;
      run.blocks_bytes = blocks_bytes;
    }
  } catch (...) {
    writer_->give_up();
    throw;
  }
}

void ResultsFolder::close() { writer_->finalize(); }

std::int64_t ResultsFolder::looks_taken() const { return looks_in(environment()); }

// A number where the whole text is one, so that 2450 and 2450.0 are no difference.
std::string ResultsFolder::environment_with(const std::string& launch_id, const std::map<std::string, std::string>& facts) const {
  auto environment = this->environment();
  Json noted = Json::object();
  for (const auto& [name, value] : facts) {
    const auto number = parse_number<double>(value);
    noted[name] = number ? Json(*number) : Json(value);
  }
  environment["launches"][launch_id] = std::move(noted);
  return environment_text(environment);
}

void ResultsFolder::for_each_launch_steps(const EachLaunch& each, std::size_t threads) const {
  samples(folder_file::kSteps, &RunRow::steps_bytes).for_each_launch(each, threads);
}

void ResultsFolder::for_each_launch_blocks(const EachLaunch& each, std::size_t threads) const {
  samples(folder_file::kBlocks, &RunRow::blocks_bytes).for_each_launch(each, threads);
}

std::string ResultsFolder::read_steps() const {
  auto all = csv_header<StepRow>();
  for_each_launch_steps([&](const auto&, const std::string& csv) { all.append(csv, csv.find('\n') + 1); });
  return all;
}

std::string ResultsFolder::read_blocks() const {
  auto all = csv_header<BlockRow>();
  for_each_launch_blocks([&](const auto&, const std::string& csv) { all.append(csv, csv.find('\n') + 1); });
  return all;
}

std::string ResultsFolder::make_part_dir(const std::string& launch_id) {
  const auto part_dir = file(folder_file::kParts) + "/" + launch_id;
  std::error_code error;
  fs::remove_all(part_dir, error);
  if (!error) fs::create_directories(part_dir, error);
  if (error) throw file_error("cannot make the folder", part_dir, error.value());
  return part_dir;
}

void ResultsFolder::remove_parts(const std::string& launch_id) {
  fs::remove_all(file(folder_file::kParts) + "/" + launch_id);
  std::error_code not_empty;  // another launch's parts are in it
  fs::remove(file(folder_file::kParts), not_empty);
}

}  // namespace ddpbench
