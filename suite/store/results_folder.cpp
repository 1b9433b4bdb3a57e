#include "suite/store/results_folder.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/schema.hpp"
#include "suite/contract/status.hpp"
#include "suite/store/gzip_members.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::array kNeeded{folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns};

template <class Row>
std::string csv_text(const std::vector<Row>& rows) {
  auto text = csv_header<Row>();
  for (const auto& row : rows) append_csv_row(text, row);
  return text;
}

void make_empty_folder(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) throw UsageError(path + " is a file, not a folder");
  fs::create_directories(path, error);
  if (error) throw CannotRun("cannot make the folder " + path + ": " + error.message());
  const bool empty = fs::is_empty(path, error);
  if (error) throw CannotRun("cannot read the folder " + path + ": " + error.message());
  if (!empty) throw UsageError("the folder " + path + " is not empty: choose another --out, or continue it with --resume");
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

void require_same_experiment(const std::string& path, std::string_view before, std::string_view now) {
  for (int line = 1; before != now; ++line) {
    const auto old_line = first_line(before);
    const auto new_line = first_line(now);
    if (old_line != new_line || before.empty() || now.empty()) {
      throw UsageError(path + ":" + std::to_string(line) + ": this folder holds another experiment: it has '" + old_line +
                       "', this run '" + new_line + "' (choose another --out)");
    }
    before.remove_prefix(std::min(before.size(), old_line.size() + 1));
    now.remove_prefix(std::min(now.size(), new_line.size() + 1));
  }
}

// What the machine, not the experiment, decides: it may differ when a run is continued elsewhere.
bool depends_on_machine(std::string_view column) {
  return column == "command" || column == "status_planned" || column == "skip_reason";
}

void require_same_launch(const std::string& path, const PlanRow& before, const PlanRow& now) {
  for (const auto& column : columns<PlanRow>()) {
    const bool same = std::visit([&](auto member) { return before.*member == now.*member; }, column.member);
    if (same || depends_on_machine(column.name)) continue;
    throw UsageError(path + ": launch " + before.launch_id + " differs from this run's plan in column " + column.name +
                     " (choose another --out)");
  }
}

void require_same_plan(const std::string& path, const std::vector<PlanRow>& before, const std::vector<PlanRow>& now) {
  if (before.size() != now.size()) {
    throw UsageError(path + " has " + std::to_string(before.size()) + " launches, this run " + std::to_string(now.size()) +
                     " (choose another --out)");
  }
  for (std::size_t i = 0; i < now.size(); ++i) require_same_launch(path, before[i], now[i]);
}

// Drops what an interrupted run left behind the last committed launch.
void cut_to(const std::string& path, std::int64_t committed) {
  if (fs::file_size(path) < static_cast<std::uintmax_t>(committed)) {
    throw UsageError(path + " is shorter than runs.csv says (" + std::to_string(committed) + " bytes): the folder is damaged");
  }
  if (::truncate(path.c_str(), committed) != 0) throw file_error("cannot write", path, errno);
}

Json with_facts_of_store(Json environment, const std::string& experiment_toml, const std::string& plan_csv) {
  environment["schema_version"] = kSchemaVersion;
  environment["checksums"] =
      Json{{folder_file::kExperiment, text_checksum(experiment_toml)}, {folder_file::kPlan, text_checksum(plan_csv)}};
  return environment;
}

std::string environment_text(const Json& environment) {
  return environment.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void require_known_schema(const std::string& path, const Json& environment) {
  const auto version = environment.value("schema_version", kSchemaVersion);
  if (version > kSchemaVersion) {
    throw UsageError(path + " was written by a later ddpbench (schema " + std::to_string(version) + "; this one reads up to " +
                     std::to_string(kSchemaVersion) + ")");
  }
}

// A launch of another release beside the others would be another design in the same cell.
void require_this_schema(const std::string& path, const Json& environment) {
  const auto version = environment.value("schema_version", kSchemaVersion);
  if (version == kSchemaVersion) return;
  throw UsageError(path + " was begun by an earlier ddpbench (schema " + std::to_string(version) + ", this one's is " +
                   std::to_string(kSchemaVersion) + "): it can be reported, but not continued (choose another --out)");
}

}  // namespace

std::string text_checksum(const std::string& text) {
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  std::array<char, 9> hex{};
  std::snprintf(hex.data(), hex.size(), "%08lx", sum);
  return hex.data();
}

ResultsFolder ResultsFolder::create(const std::string& path, const std::string& experiment_toml, const std::vector<PlanRow>& plan,
                                    const Json& environment) {
  make_empty_folder(path);
  ResultsFolder folder(path);
  try {
    folder.lock_ = std::make_shared<FolderLock>(path);
    const auto plan_csv = csv_text(plan);
    const auto facts = with_facts_of_store(environment, experiment_toml, plan_csv);
    replace_file(folder.file(folder_file::kExperiment), experiment_toml);
    replace_file(folder.file(folder_file::kEnvironment), environment_text(facts));
    replace_file(folder.file(folder_file::kPlan), plan_csv);
    replace_file(folder.file(folder_file::kMetrics), csv_header<MetricRow>());
    append_gzip_member(folder.file(folder_file::kSteps), 0, csv_header<StepRow>());
    append_gzip_member(folder.file(folder_file::kBlocks), 0, csv_header<BlockRow>());
    replace_file(folder.file(folder_file::kRuns), csv_header<RunRow>());
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw CannotRun(error.what());
  }
  return folder;
}

ResultsFolder ResultsFolder::open(const std::string& path) {
  if (!fs::is_directory(path)) throw UsageError(path + " is not a results folder (no such folder)");
  ResultsFolder folder(path);
  for (const auto* name : kNeeded) {
    if (!fs::exists(folder.file(name))) throw UsageError(path + " is not a results folder (it has no " + name + ")");
  }
  require_known_schema(path, folder.environment());
  folder.runs_ = read_csv_file<RunRow>(folder.file(folder_file::kRuns));
  return folder;
}

ResultsFolder ResultsFolder::resume(const std::string& path, const std::string& experiment_toml,
                                    const std::vector<PlanRow>& plan) {
  auto folder = open(path);
  require_this_schema(path, folder.environment());
  folder.lock_ = std::make_shared<FolderLock>(path);
  folder.runs_ = read_csv_file<RunRow>(folder.file(folder_file::kRuns));  // again: under the lock
  require_same_experiment(folder.file(folder_file::kExperiment), folder.experiment_toml(), experiment_toml);
  require_same_plan(folder.file(folder_file::kPlan), folder.plan(), plan);
  cut_to(folder.file(folder_file::kSteps), folder.committed(folder_file::kSteps, &RunRow::steps_bytes));
  cut_to(folder.file(folder_file::kBlocks), folder.committed(folder_file::kBlocks, &RunRow::blocks_bytes));
  fs::remove_all(folder.file(folder_file::kParts));
  return folder;
}

std::vector<PlanRow> ResultsFolder::plan() const { return read_csv_file<PlanRow>(file(folder_file::kPlan)); }

std::vector<MetricRow> ResultsFolder::metrics() const {
  std::set<std::string> committed_ids;
  for (const auto& run : runs_) committed_ids.insert(run.launch_id);
  auto rows = read_csv_file<MetricRow>(file(folder_file::kMetrics));
  std::erase_if(rows, [&](const MetricRow& row) { return !committed_ids.contains(row.launch_id); });
  return rows;
}

Json ResultsFolder::environment() const {
  const auto path = file(folder_file::kEnvironment);
  auto json = Json::parse(read_file(path), nullptr, false);
  if (!json.is_object()) throw UsageError(path + " is not a JSON object: the folder is damaged");
  return json;
}

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
  SampleFile::Ends ends;
  for (const auto& run : runs_) ends[run.launch_id] = run.*bytes;
  return {file(sample_file), std::move(ends)};
}

// The length that counts, if the launch `but_for` had left nothing. Before the first launch: of the header's member.
std::int64_t ResultsFolder::committed(const char* sample_file, std::int64_t RunRow::*bytes, const std::string& but_for) const {
  std::int64_t length = 0;
  for (const auto& run : runs_) length = run.launch_id == but_for ? length : std::max(length, run.*bytes);
  return length > 0 ? length : samples(sample_file, bytes).header_bytes();
}

void ResultsFolder::commit(LaunchResult result) {
  if (result.runs.empty()) throw Error("a launch without arms cannot be committed");
  const auto launch_id = result.runs.front().launch_id;
  const auto of_launch = [&](const auto& row) { return row.launch_id == launch_id; };
  const auto append = [&](const char* name, std::int64_t RunRow::*bytes, const std::string& rows) {
    const auto after = rows.empty() ? committed(name, bytes, launch_id)  // what an earlier try left is not this one's
                                    : append_gzip_member(file(name), committed(name, bytes), rows);
    for (auto& run : result.runs) run.*bytes = after;
  };
  append(folder_file::kSteps, &RunRow::steps_bytes, result.steps_csv);
  append(folder_file::kBlocks, &RunRow::blocks_bytes, result.blocks_csv);

  if (!result.facts.empty()) note_facts(launch_id, result.facts);
  auto all_metrics = metrics();
  std::erase_if(all_metrics, of_launch);
  all_metrics.insert(all_metrics.end(), result.metrics.begin(), result.metrics.end());
  replace_file(file(folder_file::kMetrics), csv_text(all_metrics));

  auto all_runs = runs_;
  std::erase_if(all_runs, of_launch);
  all_runs.insert(all_runs.end(), result.runs.begin(), result.runs.end());
  replace_file(file(folder_file::kRuns), csv_text(all_runs));
  runs_ = std::move(all_runs);
}

// A number where the whole text is one, so that 2450 and 2450.0 are no difference.
void ResultsFolder::note_facts(const std::string& launch_id, const std::map<std::string, std::string>& facts) const {
  auto environment = this->environment();
  Json noted = Json::object();
  for (const auto& [name, value] : facts) {
    const auto number = parse_number<double>(value);
    noted[name] = number ? Json(*number) : Json(value);
  }
  environment["launches"][launch_id] = std::move(noted);
  replace_file(file(folder_file::kEnvironment), environment_text(environment));
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
