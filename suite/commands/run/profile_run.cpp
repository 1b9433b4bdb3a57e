#include "suite/commands/run/profile_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "suite/base/profiler.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/purposes/profile/profile_launch.hpp"

namespace ddpbench {
namespace {

// What a profile's launch recorded, beside what its rows say.
constexpr const char* kScheduleFact = "profile_schedule";
constexpr const char* kWithFact = "profile_with";

std::vector<ProfileRow> rows_of(const ResultsFolder& folder, const std::string& launch_id) {
  auto rows = folder.profiles();
  std::erase_if(rows, [&](const ProfileRow& row) { return row.launch_id != launch_id; });
  return rows;
}

bool was_recorded_so(const ResultsFolder& folder, const LaunchSpec& spec) {
  using Object = nlohmann::ordered_json;
  const auto facts = folder.environment().value("launches", Object::object()).value(spec.launch_id, Object::object());
  return facts.value(kScheduleFact, std::string()) == spec.profile_schedule &&
         facts.value(kWithFact, std::string()) == join(spec.profile_with, ",");
}

// Every rank that is asked for, with the arms and steps that are.
bool is_there(const ResultsFolder& folder, const LaunchSpec& spec) {
  const auto rows = rows_of(folder, spec.launch_id);
  const auto windows = profiled_windows(spec);
  std::size_t ranks = 0;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) ranks += is_profiled(spec, rank) ? 1 : 0;
  const auto is_asked_for = [&](const ProfileRow& row) {
    return row.status == status::kOk && is_profiled(spec, row.rank) &&
           std::any_of(windows.begin(), windows.end(), [&](const ProfiledWindow& window) {
             return row.arms == join(window.arms, " ") && row.first_step == window.steps.first &&
                    row.last_step == window.steps.last;
           });
  };
  return rows.size() == ranks * windows.size() && std::all_of(rows.begin(), rows.end(), is_asked_for) &&
         was_recorded_so(folder, spec);
}

// Where the timed launch of the cell has failed, its profile would fail the same way.
bool has_failed(const ResultsFolder& folder, const LaunchSpec& spec) {
  const auto& runs = folder.runs();
  return std::any_of(runs.begin(), runs.end(), [&](const RunRow& run) {
    return run.cell_id == spec.cell_id && run.repetition == spec.repetition && run.status != status::kOk;
  });
}

LaunchSpec with_folders(const PlannedLaunch& launch, const ReadyRun& ready, ResultsFolder& folder) {
  auto spec = launch.spec;
  if (const auto data = ready.data.find(launch.dataset); data != ready.data.end()) spec.data = data->second.path;
  spec.part_dir = folder.make_part_dir(spec.launch_id);
  return spec;
}

// How the launch ended: as its ranks say, and one that left no trace failed.
std::pair<std::string, std::string> end_of(const ProfileResult& result) {
  for (const auto& row : result.traces.ranks) {
    if (row.status != status::kOk) return {row.status, row.reason};
  }
  return {result.ended.status, result.ended.reason};
}

struct ProfileDesk {
  SignalInbox& inbox;
  ProgressDisplay& display;
  SweepCounts& counts;
};

// A profile that failed does not take the place of one that is there.
void profile_cell(const ReadyRun& ready, const LaunchSpec& spec, ResultsFolder& folder, const ProfileDesk& desk) {
  const auto program = program_of(find_arms(ready.plan.arms, spec.arms), ready.installation, ready.allocation.hosts);
  const auto result = run_profile_launch(ready.launcher, spec, program, desk.inbox, desk.display);
  const auto [status, reason] = end_of(result);
  auto facts = result.ended.facts;
  facts[kProfiledFact] = spec.profiler;
  if (!spec.profile_schedule.empty()) facts[kScheduleFact] = spec.profile_schedule;
  if (!spec.profile_with.empty()) facts[kWithFact] = join(spec.profile_with, ",");
  if (status == status::kOk || rows_of(folder, spec.launch_id).empty())
    folder.commit_profile(spec.launch_id, facts, result.traces);
  folder.remove_parts(spec.launch_id);
  desk.inbox.receive();
  desk.counts.stopped |= desk.inbox.stops() > 0 || result.job_is_over;
  if (status == status::kOk) return;
  if (!desk.counts.stopped) ++desk.counts.failed;
  desk.display.print_line("profile of " + spec.cell_id + ": " + status_text(status, reason));
}

}  // namespace

void profile_cells(const ReadyRun& ready, const std::vector<PlannedLaunch>& launches, ResultsFolder& folder,
                   SweepCounts& counts) {
  SignalInbox inbox;
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  for (std::size_t i = 0; i < launches.size() && !counts.stopped && counts.lost.empty(); ++i) {
    const auto& planned = launches[i].spec;
    const auto title = "profile of " + planned.cell_id;
    if (is_there(folder, planned)) continue;
    if (has_failed(folder, planned)) {
      display.print_line(title + ": left out, for its timed launch did not end well");
      continue;
    }
    display.start_launch({i + 1, launches.size(), title, 0, 0, 0});
    try {
      profile_cell(ready, with_folders(launches[i], ready, folder), folder, {inbox, display, counts});
    } catch (const std::exception& error) {
      counts.lost = error.what();
      display.print_line(title + ": cannot be stored: " + counts.lost + "; what is stored stays");
    }
  }
  display.clear_bar();
}

void print_profiles(const ResultsFolder& folder, std::ostream& out) {
  std::map<std::string, std::pair<std::int64_t, std::string>> launches;  // their traces, and what opens these
  bool has_kineto = false;
  for (const auto& row : folder.profiles()) {
    if (row.file.empty()) continue;
    auto& [traces, open_by] = launches[row.launch_id];
    ++traces;
    open_by = find_entry(profilers(), "profiler", row.profiler).open_by;
    has_kineto = has_kineto || row.profiler == profiler::kKineto;
  }
  const auto inside = folder.path() + "/" + folder_file::kTraces;
  for (const auto& [launch, found] : launches)
    out << "profile: " << inside << "/" << launch << " (" << counted(found.first, "trace") << ", open with " << found.second
        << ")\n";
  if (has_kineto) out << "in TensorBoard, with torch_tb_profiler: tensorboard --logdir " << shell_quoted(inside) << "\n";
  if (!launches.empty()) out << "where its steps go: ddpbench trace " << shell_quoted(folder.path()) << "\n";
}

}  // namespace ddpbench
