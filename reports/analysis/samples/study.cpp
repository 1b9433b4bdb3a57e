#include "reports/analysis/samples/study.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/analysis/samples/cell_labels.hpp"
#include "reports/analysis/samples/cell_order.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "suite/store/environment_file.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

const Json& object_at(const Json& environment, const char* key) {
  static const Json kNone = Json::object();
  const auto found = environment.find(key);
  return found != environment.end() && found->is_object() ? *found : kNone;
}

LaunchFacts facts_of(const std::string& launch_id, const Json& object) {
  LaunchFacts launch{launch_id, {}};
  if (!object.is_object()) return launch;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) launch.facts[key] = {value.get<std::string>(), kNotMeasured};
    if (value.is_number()) launch.facts[key] = {value.dump(), value.get<double>()};
    if (value.is_boolean()) launch.facts[key] = {value.dump(), kNotMeasured};
  }
  return launch;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <class Value>
void add_new(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<std::string> common_options_of(const std::vector<Cell>& cells) {
  if (cells.empty()) return {};
  auto common = options_of(cells.front().axes);
  for (const auto& cell : cells) {
    const auto options = options_of(cell.axes);
    std::erase_if(common, [&](const auto& option) { return std::find(options.begin(), options.end(), option) == options.end(); });
  }
  return common;
}

std::vector<std::string> data_origins_of(const Json& environment) {
  if (!environment.contains("data_origin")) return {};
  const auto& origin = environment["data_origin"];
  if (origin.is_string()) return {origin.get<std::string>()};
  std::vector<std::string> origins;
  for (const auto& [key, value] : origin.items()) {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    origins.push_back(origin.is_object() ? key + ": " + text : text);
  }
  return origins;
}

class StudyReader {
 public:
  StudyReader(const JoinedFolders& folders, const FolderChecks& checks) : folders_(folders), checks_(checks) {}

  Study read() {
    study_.settings = read_settings(folders_.experiment_toml(), folders_.origin(folder_file::kExperiment));
    read_environment();
    study_.node_checks = folders_.node_checks();
    study_.collective_samples = folders_.collective_samples();
    study_.profiles = folders_.profiles();
    study_.trace_parts = folders_.trace_parts();
    study_.trace_memory = folders_.trace_memory();
    read_plan();
    read_runs();
    study_.common_options = common_options_of(study_.cells);
    label_cells(study_);
    find_hosts();
    read_samples();
    read_metrics();
    find_points();
    if (study_.cells.empty()) find_launches_without_training();
    find_families(study_);
    return std::move(study_);
  }

 private:
  void read_plan() {
    const auto plan = folders_.plan();
    for (const auto& row : cells_in_order(study_.settings, plan)) add_cell(row);
    for (const auto& row : plan) {
      const auto place = study_.cells_by_id.at(row.cell_id);
      auto& cell = study_.cells[place];
      launches_.try_emplace(row.launch_id, place, cell.launches.size());
      for (const auto& arm : words(row.arms)) add_new(cell.arms, arm);
      auto& launch = cell.launches.emplace_back();
      launch.launch_id = row.launch_id;
      launch.samples.launch_id = row.launch_id;
      launch.samples.world_size = cell.world_size();
      launch.samples.block_steps = cell.settings.protocol.block_steps;
      launch.samples.fastest_step = cell.settings.protocol.fastest_step;
      launch.samples.blocks_per_super_block = blocks_per_super_block(words(row.arms));
      if (row.status_planned == status::kSkipped) skipped_[row.launch_id] = row.skip_reason;
    }
  }
  std::map<std::string, std::int64_t> blocks_per_super_block(const std::vector<std::string>& arms) {
    for (const auto& arm : arms) {
      if (known_.insert(arm).second) study_.arms.push_back(arm_facts(study_.vocabulary, arm));
    }
    const auto blocks = blocks_in_super_block(find_arms(study_.arms, arms));
    std::map<std::string, std::int64_t> by_arm;
    for (std::size_t i = 0; i < arms.size(); ++i) by_arm[arms[i]] = blocks[i];
    return by_arm;
  }
  void add_cell(const PlanRow& row) {
    study_.cells_by_id[row.cell_id] = study_.cells.size();
    auto& cell = study_.cells.emplace_back();
    cell.axes = row;
    cell.settings = settings_of_cell(study_.settings, row.options);
  }
  void read_runs() {
    for (const auto& run : folders_.runs()) {
      if (auto* launch = find(run.launch_id)) launch->runs.push_back(run);
      for (const auto& host : words(run.host_list)) add_new(study_.hosts, host);
      const bool earlier = study_.started_utc.empty() || run.started_utc < study_.started_utc;
      if (!run.started_utc.empty() && earlier) study_.started_utc = run.started_utc;
    }
  }
  Launch* find(const std::string& launch_id) {
    const auto found = launches_.find(launch_id);
    return found == launches_.end() ? nullptr : &study_.cells[found->second.first].launches[found->second.second];
  }

  void read_metrics() {
    Launch* launch = nullptr;  // rows of a launch stand together
    for (auto& row : folders_.metrics()) {
      if (launch == nullptr || launch->launch_id != row.launch_id) launch = find(row.launch_id);
      if (launch != nullptr) launch->metrics.push_back(std::move(row));
    }
  }

  void read_samples() {
    for (std::size_t folder = 0; folder < folders_.folders().size(); ++folder) read_samples_of(folder);
  }
  // A launch that is left out of the whole is checked all the same.
  void read_samples_of(std::size_t place) {
    const auto& folder = folders_.folders()[place];
    auto* check = checks_.empty() ? nullptr : checks_[place].get();
    const auto threads = reading_threads();  // each writes to the launch that it reads and to nothing else
    const auto reader = [&](const char* file, auto* read_csv) {
      const auto path = folder.path() + "/" + file;
      return [&, path, read_csv](const std::string& id, const std::string& csv) {
        LaunchSamples left_out;
        auto* launch = find(folders_.id_of(place, id));
        read_csv(csv, path + " (launch " + id + ")", launch == nullptr ? left_out : launch->samples,
                 check == nullptr ? nullptr : check->launch(id));
      };
    };
    folder.for_each_launch_steps(reader(folder_file::kSteps, &read_step_samples), threads);
    folder.for_each_launch_blocks(reader(folder_file::kBlocks, &read_block_samples), threads);
    if (check != nullptr) check->samples_were_read();
  }

  void read_environment() {
    environment_ = folders_.environment();
    if (environment_.contains("cores") && environment_["cores"].is_number()) study_.cores = environment_["cores"];
    study_.data_origins = data_origins_of(environment_);
    study_.launch_facts = launch_facts_of(environment_);
    study_.looks = looks_in(environment_);
    study_.vocabulary = recorded_vocabulary(environment_, folders_.origin(folder_file::kEnvironment));
  }
  // The host of the command, where no launch tells any.
  void find_hosts() {
    if (study_.hosts.empty() && environment_.contains("hostname") && environment_["hostname"].is_string()) {
      study_.hosts.push_back(environment_["hostname"]);
    }
  }

  // Of collectives alone: they stand in the environment only.
  void find_launches_without_training() {
    const auto text = [](const Json& object, const char* key) {
      return object.is_object() ? object.value(key, "") : std::string();
    };
    study_.started_utc = text(environment_, "started_utc");
    if (!environment_.contains("launches")) return;
    for (const auto& [launch_id, facts] : environment_["launches"].items()) {
      const auto status = text(facts, "status");
      if (status.empty()) continue;
      ++study_.counts[status];
      if (status != status::kOk) study_.points.push_back({launch_id, "", "all", status, text(facts, "reason")});
    }
  }

  void find_points() {
    for (const auto& cell : study_.cells) {
      for (const auto& launch : cell.launches) ++study_.counts[points_of(cell, launch)];
    }
  }
  // Lists the launch's arms that are not ok; returns the launch's own status: its worst arm's.
  std::string points_of(const Cell& cell, const Launch& launch) {
    static const std::vector<std::string> kWorstFirst{status::kFailed,  status::kWrongResult, status::kPartial,
                                                      status::kPlanned, status::kSkipped,     status::kOk};
    auto worst = kWorstFirst.size();
    for (const auto& arm : cell.arms) {
      const auto point = point_of(cell, launch, arm);
      if (point.status != status::kOk) study_.points.push_back(point);
      const auto rank = std::find(kWorstFirst.begin(), kWorstFirst.end(), point.status) - kWorstFirst.begin();
      worst = std::min(worst, static_cast<std::size_t>(rank));
    }
    return worst < kWorstFirst.size() ? kWorstFirst[worst] : status::kFailed;
  }
  Point point_of(const Cell& cell, const Launch& launch, const std::string& arm) const {
    Point point{launch.launch_id, cell.axes.cell_id, arm, status::kPlanned, "it never ran"};
    if (const auto skip = skipped_.find(launch.launch_id); skip != skipped_.end()) {
      point.status = status::kSkipped;
      point.reason = skip->second;
    }
    for (const auto& run : launch.runs) {
      if (run.arm != arm) continue;
      point.status = run.status;
      point.reason = run.reason;
    }
    return point;
  }

  const JoinedFolders& folders_;
  const FolderChecks& checks_;
  Json environment_;
  std::map<std::string, std::string> skipped_;
  std::map<std::string, std::pair<std::size_t, std::size_t>> launches_;  // by id: place of its cell, and in the cell
  std::set<std::string> known_;                                          // arms
  Study study_;
};

}  // namespace

std::vector<LaunchFacts> launch_facts_of(const Json& environment) {
  std::vector<LaunchFacts> launches;
  for (const auto& [id, facts] : object_at(environment, "launches").items()) launches.push_back(facts_of(id, facts));
  return launches;
}

std::string axes_but(std::span<const std::string_view> left_out, const PlanRow& axes) {
  auto text = axes.options;
  for (const auto& axis : standard_axes()) {
    if (!holds(left_out, axis.name)) text += "\n" + text_of(axis, axes);
  }
  return text;
}

std::vector<std::string> telling_options_of(const Study& study, const PlanRow& axes) {
  auto options = options_of(axes);
  const auto& common = study.common_options;
  std::erase_if(options, [&](const auto& option) { return std::find(common.begin(), common.end(), option) != common.end(); });
  return options;
}

std::string versions_of(const Cell& cell, const std::string& arm) {
  std::vector<std::string> versions;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& run : launch->runs) {
      if (run.arm == arm && !run.versions.empty() && !holds(versions, run.versions)) versions.push_back(run.versions);
    }
  }
  return join(versions, " or ");
}

std::vector<std::string> options_of(const PlanRow& axes) {
  std::vector<std::string> options;
  std::istringstream stream(axes.options);
  for (std::string option; std::getline(stream, option, ';');) options.push_back(option);
  return options;
}

bool Launch::usable(const std::string& arm) const {
  return std::any_of(runs.begin(), runs.end(), [&](const RunRow& run) {
    return run.arm == arm && (run.status == status::kOk || run.status == status::kPartial);
  });
}

bool Launch::has_run() const {
  return std::any_of(runs.begin(), runs.end(), [](const RunRow& run) { return run.status != status::kSkipped; });
}

std::string Launch::profiled() const {
  const auto run = std::find_if(runs.begin(), runs.end(), [](const RunRow& one) { return !one.profiled.empty(); });
  return run == runs.end() ? "" : run->profiled;
}

std::int64_t Cell::samples_per_step_of(const std::string& arm) const {
  const auto found = std::find(arms.begin(), arms.end(), arm);
  if (found == arms.end()) throw Error("no arm '" + arm + "' was planned in cell " + axes.cell_id);
  return micro_batches[static_cast<std::size_t>(found - arms.begin())] * global_batch_size();
}

const Family& Cell::family_of(const std::string& arm) const {
  const auto is_of = [&](const Family& family) {
    return family.reference == arm || std::find(family.arms.begin(), family.arms.end(), arm) != family.arms.end();
  };
  const auto found = std::find_if(families.begin(), families.end(), is_of);
  if (found == families.end()) throw Error("cell " + axes.cell_id + " has no arm '" + arm + "'");
  return *found;
}

std::vector<const Launch*> Cell::launches_with(const std::vector<std::string>& wanted) const {
  std::vector<const Launch*> found;
  for (const auto& launch : launches) {
    const auto has = [&](const std::string& arm) {
      const auto* samples = launch.samples.find(arm);
      return launch.usable(arm) && samples != nullptr && samples->has_times();
    };
    if (std::all_of(wanted.begin(), wanted.end(), has)) found.push_back(&launch);
  }
  return found;
}

std::string Study::first_reference() const {
  const auto reference = std::find_if(arms.begin(), arms.end(), [](const auto& arm) { return arm.is_reference(); });
  return reference == arms.end() ? "" : reference->name;
}

bool Study::anything_finished() const {
  const auto finished = [](const Cell& cell) {
    return std::any_of(cell.families.begin(), cell.families.end(),
                       [&](const Family& family) { return !cell.launches_with({family.reference}).empty(); });
  };
  return std::any_of(cells.begin(), cells.end(), finished);
}

const Cell* Study::find_cell(const std::string& cell_id) const {
  const auto found = cells_by_id.find(cell_id);
  return found == cells_by_id.end() ? nullptr : &cells[found->second];
}

const Cell& Study::cell_of(const std::string& cell_id) const {
  const auto* found = find_cell(cell_id);
  if (found == nullptr) throw Error("no cell '" + cell_id + "' was planned");
  return *found;
}

std::string Study::label_of(const std::string& cell_id) const {
  const auto* found = find_cell(cell_id);
  return found == nullptr ? cell_id : found->label;
}

Study read_study(const JoinedFolders& folders, const FolderChecks& checks) { return StudyReader(folders, checks).read(); }

}  // namespace ddpbench
