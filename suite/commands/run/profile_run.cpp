#include "suite/commands/run/profile_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "suite/base/profiler.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/purposes/profile/profile_launch.hpp"

namespace ddpbench {
namespace {

bool is_there(const ResultsFolder& folder, const LaunchSpec& spec) {
  const auto rows = folder.profiles();
  return std::any_of(rows.begin(), rows.end(), [&](const ProfileRow& row) {
    return row.launch_id == spec.launch_id && row.profiler == spec.profiler && row.status == status::kOk;
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

}  // namespace

void profile_cells(const ReadyRun& ready, const std::vector<PlannedLaunch>& launches, ResultsFolder& folder,
                   SweepCounts& counts) {
  SignalInbox inbox;
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  for (std::size_t i = 0; i < launches.size() && !counts.stopped; ++i) {
    if (is_there(folder, launches[i].spec)) continue;
    const auto spec = with_folders(launches[i], ready, folder);
    display.start_launch({i + 1, launches.size(), "profile of " + spec.cell_id, 0, 0, 0});
    const auto program = program_of(find_arms(ready.plan.arms, spec.arms), ready.installation, ready.allocation.hosts);
    const auto result = run_profile_launch(ready.launcher, spec, program, inbox, display);
    auto facts = result.ended.facts;
    const auto [status, reason] = end_of(result);
    facts[kProfiledFact] = spec.profiler;
    folder.commit_profile(spec.launch_id, facts, result.traces);
    folder.remove_parts(spec.launch_id);
    inbox.receive();
    counts.stopped |= inbox.stops() > 0;
    if (status == status::kOk) continue;
    if (!counts.stopped) ++counts.failed;
    display.print_line("profile of " + spec.cell_id + ": " + status_text(status, reason));
  }
  display.clear_bar();
}

void print_profiles(const ResultsFolder& folder, std::ostream& out) {
  bool has_any = false;
  for (const auto& row : folder.profiles()) {
    if (row.file.empty()) continue;
    const auto& profiler = find_entry(profilers(), "profiler", row.profiler);
    out << "profile: " << folder.path() << "/" << row.file << " (open with " << profiler.open_by << ")\n";
    has_any = true;
  }
  if (has_any) out << "where its steps go: ddpbench trace " << shell_quoted(folder.path()) << "\n";
}

}  // namespace ddpbench
