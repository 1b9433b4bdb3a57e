#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/analysis/answer/collective_phrases.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/own_command.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/commands/report/run_end.hpp"
#include "suite/commands/run/collective_arguments.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/node_probe.hpp"
#include "suite/launch/processes/stop_signals.hpp"
#include "suite/purposes/collectives/collective_launch.hpp"
#include "suite/purposes/collectives/collective_plan.hpp"
#include "suite/runs/environment_record.hpp"
#include "suite/runs/submission.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

constexpr const char* kFolderName = "collectives";

struct CollectivesArguments {
  CollectivesRequest request;
  LaunchChoice launch;
  std::string out;
  bool tables_only = false, resume = false;
};

// Everything that is decided before the first rank starts.
struct ReadyCollectives {
  Installation installation;
  const Launcher& launcher;
  Allocation allocation;
  Vocabulary vocabulary;
  Probe probe;
  CollectivePlan plan;
};

ReadyCollectives ready_collectives(const CollectivesArguments& arguments) {
  auto installation = find_installation();
  auto allocation = find_allocation(arguments.launch.hosts);
  auto vocabulary = installed_vocabulary(installation);
  const auto named = parse_list(arguments.request.backends);
  const auto& launcher = chosen_launcher(arguments.launch.launcher, allocation, named.empty() || holds(named, kMpiBackend));
  require_available(launcher, installation, allocation);
  auto probe = probe_where_ranks_run(launcher, allocation, installation, vocabulary.worker_build_id);
  const auto nodes = std::max<std::int64_t>(1, static_cast<std::int64_t>(allocation.hosts.size()));
  auto plan = plan_collectives(arguments.request, vocabulary, availability_from(probe, launcher.name, allocation), nodes);
  return {std::move(installation), launcher, std::move(allocation), std::move(vocabulary), std::move(probe), std::move(plan)};
}

// With --resume in a folder that holds the same cases by the same arms: goes on there.
ResultsFolder open_collectives_folder(const CollectivesArguments& arguments, const ReadyCollectives& ready,
                                      std::chrono::system_clock::time_point started) {
  const auto path = run_folder(arguments.out, kFolderName, started);
  const auto experiment = experiment_text(ready.plan);
  if (arguments.resume && is_begun(path)) return ResultsFolder::resume(path, experiment, {});
  Plan plan;
  for (const auto& spec : ready.plan.launches) plan.launches.push_back({spec, "", ""});
  auto environment = environment_record({ready.probe, ready.vocabulary, plan, own_command_line(), ready.launcher,
                                         ready.allocation, "none: nothing is trained", started});
  environment[kPlannedCollectives] = ready.plan.launches.size();
  return begin_folder(path, arguments.resume, experiment, {}, environment);
}

// Launches of the folder that ended well: --resume leaves them alone.
std::set<std::string> finished_launches(const ResultsFolder& folder) {
  std::set<std::string> finished;
  const auto environment = folder.environment();
  const auto launches = environment.value("launches", nlohmann::ordered_json::object());
  for (const auto& [launch, facts] : launches.items()) {
    if (facts.value("status", "") == status::kOk) finished.insert(launch);
  }
  return finished;
}

// How the launches ended.
struct Ends {
  int failed = 0;
  bool is_stopped = false;
};

void keep(ResultsFolder& folder, const LaunchSpec& spec, const CollectiveResult& result) {
  auto facts = result.ended.facts;
  facts["status"] = result.ended.status;
  facts["host_list"] = result.ended.host_list;
  if (!result.ended.reason.empty()) facts["reason"] = result.ended.reason;
  folder.commit_collectives(spec.launch_id, facts, result.rows);
  folder.remove_parts(spec.launch_id);
}

Ends run_collective_launches(const ReadyCollectives& ready, ResultsFolder& folder) {
  SignalInbox inbox;
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  const CollectiveSetup setup{ready.installation, ready.launcher, ready.allocation.hosts};
  const auto& launches = ready.plan.launches;
  const auto finished = finished_launches(folder);
  Ends ends;
  for (std::size_t i = 0; i < launches.size() && !ends.is_stopped; ++i) {
    auto spec = launches[i];
    if (finished.contains(spec.launch_id)) continue;
    const double seconds = spec.protocol.max_seconds_per_launch;
    display.start_launch(
        {i + 1, launches.size(), spec.cell_id, seconds, seconds * static_cast<double>(launches.size() - i - 1), 0});
    spec.part_dir = folder.make_part_dir(spec.launch_id);
    const auto result = run_collective_launch(setup, spec, inbox, display);
    keep(folder, spec, result);
    inbox.receive();
    ends.is_stopped = inbox.stops() > 0;
    if (result.ended.status == status::kOk || ends.is_stopped) continue;
    ++ends.failed;
    display.print_line("launch " + spec.launch_id + ": " + result.ended.status + ": " + result.ended.reason);
  }
  display.clear_bar();
  return ends;
}

ExitCode collectives_exit_code(const Ends& ends, const FolderReport& report) {
  if (ends.is_stopped) return ExitCode::kStopped;
  const auto& rows = report.analysis.collectives;
  const bool is_wrong = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.wrong > 0; });
  const bool is_reported = report.why_no_tables.empty() && report.why_no_page.empty();
  return ends.failed > 0 || is_wrong || !is_reported ? ExitCode::kDoneWithFailures : ExitCode::kDone;
}

ExitCode measure_collectives(const CollectivesArguments& arguments) {
  const auto started = std::chrono::system_clock::now();
  const StopAtOnce stop_at_once;
  const auto ready = ready_collectives(arguments);
  for (const auto& skip : ready.plan.skips) std::cerr << "skipped: " << printable(skip) << std::endl;
  if (ready.plan.launches.empty()) return ExitCode::kNothingRunsHere;
  auto folder = open_collectives_folder(arguments, ready, started);
  std::cerr << "results: " << folder.path() << std::endl;
  const auto ends = run_collective_launches(ready, folder);
  folder.close();
  const auto report = report_own_run(ready.installation, folder.path(), arguments.tables_only);
  std::ostream(CleanOutput::beneath(std::cout)) << collective_table_text(report.analysis.collectives) << std::flush;
  print_report(report, std::cout, view_of(STDOUT_FILENO));
  if (ends.is_stopped) {
    const Continuing continuing{folder.path(), !arguments.out.empty(), arguments.resume, false};
    std::cout << "to continue: " << continuing_command_line(continuing) << std::endl;
  }
  return collectives_exit_code(ends, report);
}

CommandAction declare_collectives(CLI::App& app) {
  const auto arguments = std::make_shared<CollectivesArguments>();
  add_collective_arguments(app, arguments->request);
  auto* out = app.add_option("--out", arguments->out, "results folder, new or empty (default: results/collectives-UTC)");
  app.add_flag("--resume", arguments->resume,
               "continue in --out: launches that ended well are left alone; more of them may be asked for")
      ->needs(out);
  app.add_flag(kTablesOnlyOption, arguments->tables_only, kTablesOnlyHelp);
  add_node_arguments(app, arguments->launch);
  return [arguments] { return measure_collectives(*arguments); };
}

}  // namespace

CommandEntry collectives_command() {
  return {"collectives",
          "Measures the collectives themselves: by size, or a model's buckets",
          "Runs all_reduce, broadcast and the others over each backend, beside the library's own calls, in turn on the same "
          "buffers;\n"
          "prints nccl-tests' columns and the speed against the library, checks every result, and writes report.html.",
          "ddpbench collectives --collectives all_reduce --max-bytes 16M",
          "0 done; 1 a launch failed or a result was wrong; 2 a mistake in the command; 3 it could not run at all;\n"
          "75 stopped early: what was measured is reported; 77 none of the backends is here",
          declare_collectives};
}

}  // namespace ddpbench
