#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include "suite/base/numbers.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/own_command.hpp"
#include "suite/commands/percent_option.hpp"
#include "suite/commands/profile_arguments.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/commands/report/run_end.hpp"
#include "suite/commands/run/interim_looks.hpp"
#include "suite/commands/run/node_check_report.hpp"
#include "suite/commands/run/profile_run.hpp"
#include "suite/commands/run/ready_run.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/node_probe.hpp"
#include "suite/launch/processes/stop_signals.hpp"
#include "suite/plan/plan_part.hpp"
#include "suite/runs/resolution_history.hpp"
#include "suite/runs/sweep.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

struct RunArguments {
  ExperimentChoice choice;
  LaunchChoice launch;
  std::string out;
  bool resume = false;
  bool require_verdict = false, reasons = false, tables_only = false;
  bool is_unchecked = false;  // the nodes
  std::string budget, part;
  StoppingRequest looks;
  ProfileRequest profile;
  bool profile_only = false;
};

// Of those that will run, the one with most ranks, on GPUs if it can be; nullptr: none.
const LaunchSpec* largest_launch(const Plan& plan) {
  const PlannedLaunch* largest = nullptr;
  for (const auto& launch : plan.launches) {
    const auto key = [](const PlannedLaunch& one) { return std::pair(one.spec.world_size(), one.on_gpus); };
    const bool is_larger = largest == nullptr || key(launch) > key(*largest);
    if (launch.skip_reason.empty() && is_larger) largest = &launch;
  }
  return largest == nullptr ? nullptr : &largest->spec;
}

// Where a job has several nodes: a slow one is named before anything is measured, a broken one is left out, with the sizes that need it.
NodeCheckReport look_at_nodes_first(const RunArguments& arguments, ReadyRun& ready) {
  const auto* largest = largest_launch(ready.plan);
  const bool is_one_machine = ready.launcher.scope == LauncherScope::kThisMachine || ready.allocation.hosts.size() < 2;
  if (arguments.is_unchecked || largest == nullptr || is_one_machine) return {};
  auto look =
      check_and_judge_nodes({ready.installation, ready.launcher, ready.allocation.hosts, largest->ranks_per_node,
                             largest->backend, largest->options[OptionGroup::kBackend], largest->options[OptionGroup::kLauncher],
                             largest->protocol.hang_timeout_seconds, largest->protocol.threads_per_rank});
  print_nodes(look, std::cerr);
  if (look.checked.broken.empty() || look.checked.rows.empty()) return look;  // with one node left its launches tell the reason
  for (const auto& broken : look.checked.broken) std::cerr << "left out: " << broken.node << std::endl;
  ready.allocation.hosts = look.checked.hosts;
  ready.plan =
      make_plan(ready.experiment, ready.vocabulary, availability_from(ready.probe, ready.launcher.name, ready.allocation));
  if (!arguments.part.empty()) keep_part(plan_part(arguments.part, "--part"), ready.plan);
  return look;
}

void keep_nodes(const NodeCheckReport& look, ResultsFolder& folder) {
  folder.add_node_checks(look.checked.rows);
  remember_look(look, folder.path());
}

// What the sweep itself has shown counts beside what was seen before it.
void keep_stragglers(std::vector<BadNode> stragglers, const Allocation& allocation, const std::string& folder) {
  std::vector<std::string> nodes;
  for (auto& one : stragglers) {
    for (const auto& host : allocation.hosts) {  // ranks tell their nodes' full names, the batch system perhaps short ones
      if (short_host_name(host) == short_host_name(one.node)) one.node = host;
    }
    nodes.push_back(one.node);
  }
  remember_nodes(nodes, stragglers, folder);
}

// To be pasted when the run was stopped.
std::string continuing_command(const RunArguments& arguments, const std::string& folder) {
  return continuing_command_line({folder, !arguments.out.empty(), arguments.resume});
}

// Where it was stopped before anything was measured.
ExitCode tell_how_to_begin(const RunArguments& arguments, const ReadyRun& ready, std::chrono::system_clock::time_point started) {
  const auto folder = run_folder(arguments.out, ready.experiment.name, started);
  std::cout << "to continue: " << continuing_command(arguments, folder) << std::endl;
  return ExitCode::kStopped;
}

SweepCounts run_launches(const ReadyRun& ready, ResultsFolder& folder, const CommandStart& start) {
  SignalInbox inbox;
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  const SweepSetup setup{ready.plan, ready.installation, ready.launcher, ready.data, start, ready.allocation.hosts};
  return Sweep(setup, folder, display).run(inbox);
}

// As many launches as the folder has already, or as are asked for now. Returns how many of each cell the folder has measured.
std::int64_t plan_more(const RunArguments& arguments, const std::string& path, ReadyRun& ready) {
  const auto begun = arguments.resume ? begun_run(path, ready.vocabulary) : ExistingRun();
  const auto wanted = wanted_looks(arguments.looks, begun, ready.experiment.protocol);
  const bool is_changed =
      wanted.launches != ready.experiment.protocol.launches || wanted.looks != ready.experiment.protocol.looks;
  if (is_changed && !arguments.part.empty()) throw UsageError("--part cannot be given with --until or --launches");
  if (is_changed) plan_launches(ready, wanted);
  return begun.measured;
}

// Launches that what is open is thought to need; NaN: not known.
double launches_needed(const AnalysisResult& found) {
  double most = kNotMeasured;
  for (const auto& row : found.overhead) {
    if (row.clock == found.primary_clock && row.verdict == verdict::kAmbiguous) most = std::fmax(most, row.settle_launches);
  }
  return most;
}

// Measures, and where it was asked for looks and measures on until all is settled, the time is up, or something went wrong.
class Measuring {
 public:
  Measuring(const RunArguments& arguments, ReadyRun& ready, ResultsFolder& folder, const LookClock& clock)
      : arguments_(arguments), ready_(ready), folder_(folder), clock_(clock) {}

  SweepCounts run() {
    auto counts = run_launches(ready_, folder_, {clock_.started, true});
    while (ready_.experiment.protocol.looks > 1 && is_well(counts) && goes_on())
      counts = run_launches(ready_, folder_, {clock_.started, false});
    return counts;
  }

 private:
  // Analyses what is there; true if it planned more launches.
  bool goes_on() {
    const auto report = report_own_run(ready_.installation, folder_.path(), true);
    if (!report.why_no_tables.empty()) return false;  // told at the end
    const auto open = static_cast<std::int64_t>(report.analysis.without_verdict.size());
    const auto launches = ready_.experiment.protocol.launches;
    folder_.note_look({utc_text(std::chrono::system_clock::now()), launches, open});
    if (open == 0 || !arguments_.looks.until_settled()) return false;
    const auto seconds_of_one = clock_.seconds_of_one(launches, expected_seconds(ready_.plan));
    const InterimState state{folder_.looks_taken(), launches, launches_needed(report.analysis), seconds_of_one,
                             60 * arguments_.looks.minutes - clock_.spent_s()};
    const auto next = tell_next_look(state, counted(open, "verdict"), "of each cell");
    if (next == launches) return false;
    plan_launches(ready_, {next, kMostLooks});
    folder_.extend(to_toml(ready_.experiment), plan_rows(ready_));
    return true;
  }

  const RunArguments& arguments_;
  ReadyRun& ready_;
  ResultsFolder& folder_;
  LookClock clock_;
};

std::vector<PlannedLaunch> profiles_of(const RunArguments& arguments, const ReadyRun& ready) {
  if (arguments.profile_only && !arguments.profile.is_asked_for())
    throw UsageError("--profile-only needs --profile, as in --profile kineto");
  const bool is_judged = arguments.looks.until_settled() || !arguments.looks.launches.empty() || !arguments.budget.empty() ||
                         arguments.require_verdict || arguments.reasons;
  if (arguments.profile_only && is_judged)
    throw UsageError("--profile-only times nothing: leave out --until, --launches, --budget, --require-verdict and --reasons");
  return plan_profiles(arguments.profile, ready.plan, ready.vocabulary);
}

SweepCounts measure_and_profile(const RunArguments& arguments, ReadyRun& ready, const std::vector<PlannedLaunch>& profiles,
                                ResultsFolder& folder, const LookClock& clock) {
  SweepCounts counts;
  if (!arguments.profile_only) counts = Measuring(arguments, ready, folder, clock).run();
  if (profiles.empty() && arguments.profile.is_asked_for()) {
    std::cerr << "no profile: "
              << (arguments.part.empty() ? "no cell that can run here has one of the arms and ranks that are asked for"
                                         : "part 1 of the plan records those of all cells")
              << std::endl;
  }
  if (!counts.stopped && counts.lost.empty()) profile_cells(ready, profiles, folder, counts);
  return counts;
}

ExitCode exit_code_of_profiles(const SweepCounts& counts) {
  if (counts.stopped) return ExitCode::kStopped;
  return counts.failed > 0 || !counts.lost.empty() ? ExitCode::kDoneWithFailures : ExitCode::kDone;
}

// Of the first cells; `plan` prints all.
void print_expected_resolution(const Plan& plan) {
  constexpr std::size_t kMostLines = 5;
  const auto known = known_resolutions();
  std::set<std::string> told;
  for (const auto& launch : plan.launches) {
    const auto words = resolution_phrase(known, launch);
    if (words.empty() || told.size() == kMostLines || !told.insert(launch.spec.cell_id).second) continue;
    std::cerr << "an earlier run here resolved on " << launch.spec.cell_id << ": " << words << std::endl;
  }
}

// A folder that was removed while it ran cannot be read again; that is no mistake of the caller's command.
void print_what_went_wrong(const ResultsFolder& folder, const SweepCounts& counts) {
  try {
    print_unwell_launches(folder, std::cout, counts.told);
  } catch (const std::exception& error) {
    throw Error("the results folder was changed or removed during the run: " + std::string(error.what()));
  }
}

// Where nothing can be stored any more, the folder is whole as it is.
void close(ResultsFolder& folder, const SweepCounts& counts) {
  if (counts.lost.empty()) folder.close();
}

ExitCode run(const RunArguments& arguments) {
  const auto started = std::chrono::system_clock::now();
  check(arguments.looks);
  const StopAtOnce stop_at_once;
  auto choice = arguments.choice;
  if (!arguments.budget.empty()) {
    const double percent = percent_option("--budget", arguments.budget, PercentBound::kAboveZero);
    choice.overrides.settings.push_back("budget_percent=" + shortest_text(percent));
  }
  require_profiler(arguments.profile);
  auto ready = get_ready(find_installation(), choice, arguments.launch, arguments.part);
  profiles_of(arguments, ready);  // a mistake in them is told before the nodes are looked at
  const auto look = look_at_nodes_first(arguments, ready);
  if (look.checked.stop_signal != 0) return tell_how_to_begin(arguments, ready, started);
  const auto profiles = profiles_of(arguments, ready);
  // A folder is made once all mistakes are told.
  const auto named = arguments.out.empty() ? "" : run_folder(arguments.out, "", started);
  const LookClock clock{started, plan_more(arguments, named, ready)};
  const auto path = run_folder(arguments.out, ready.experiment.name, started);
  if (arguments.resume && !is_begun(path)) std::cerr << "nothing was begun in " << path << ": begins now" << std::endl;
  auto folder = open_folder(ready, path, arguments.resume, started);
  std::cerr << "results: " << folder.path() << std::endl;
  keep_nodes(look, folder);
  print_expected_resolution(ready.plan);
  const auto counts = measure_and_profile(arguments, ready, profiles, folder, clock);
  close(folder, counts);
  // Before the report: a batch system that has asked for the end may not wait for that.
  if (is_to_be_continued(counts)) std::cout << "to continue: " << continuing_command(arguments, folder.path()) << std::endl;
  print_profiles(folder, std::cout);
  if (arguments.profile_only) return exit_code_of_profiles(counts);
  const auto report = report_own_run(ready.installation, folder.path(), arguments.tables_only);
  const auto& found = report.analysis;
  keep_stragglers(found.stragglers, ready.allocation, folder.path());
  remember_resolutions(
      resolutions_of({found.overhead, found.primary_clock, plan_rows(ready), ready.plan.arms, utc_text(started), folder.runs()}));
  print_what_went_wrong(folder, counts);
  const auto exit_code = exit_code_of(counts, report, arguments.require_verdict);
  auto view = view_of(STDOUT_FILENO);
  view.with_reasons = arguments.reasons;
  print_report(report, std::cout, view);
  return exit_code;
}

CommandAction declare_run(CLI::App& app) {
  const auto arguments = std::make_shared<RunArguments>();
  add_experiment_arguments(app, arguments->choice);
  app.add_option("--out", arguments->out, "results folder, new or empty (default: results/NAME-UTC)");
  app.add_flag("--resume", arguments->resume, "continue the run in --out: finished launches are left alone")->needs("--out");
  add_launch_arguments(app, arguments->launch);
  add_look_arguments(app, arguments->looks);
  app.add_option("--part", arguments->part,
                 "K/N: every N-th repetition only, from the K-th on, as a task of a job array; `report` puts the parts together");
  add_profile_arguments(app, arguments->profile);
  app.add_flag("--profile-only", arguments->profile_only, "traces alone: nothing is timed");
  app.add_flag(kNoPreflightOption, arguments->is_unchecked, kNoPreflightHelp);
  app.add_option("--budget", arguments->budget,
                 "largest overhead that is accepted, in percent (2 or 2%); exit code 1 if an arm costs more");
  app.add_flag("--require-verdict", arguments->require_verdict, "exit code 4 if an arm has no verdict");
  app.add_flag("--reasons", arguments->reasons, "print the reason of every verdict");
  app.add_flag(kTablesOnlyOption, arguments->tables_only, kTablesOnlyHelp);
  return [arguments] { return run(*arguments); };
}

}  // namespace

CommandEntry run_command() {
  return {"run",
          "Measures an experiment; ends with its tables and the answer",
          "Starts every launch of the plan, one after the other, and stores what each has measured. At the end it prints a row "
          "for each arm\n"
          "and a short answer, and writes report.html. You can stop it at any time; continue with --out DIR --resume.",
          "ddpbench run demo --out results/first",
          "0 done; 1 a launch failed, a result was wrong, a budget is exceeded or the disk filled;\n"
          "2 a mistake in command, experiment or data; 3 it could not run at all; 4 no verdict (--require-verdict);\n"
          "75 stopped early, continue with --out DIR --resume; 77 every launch was skipped on this machine",
          declare_run};
}

}  // namespace ddpbench
