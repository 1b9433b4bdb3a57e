#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <ostream>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/compare/compare_arguments.hpp"
#include "suite/commands/compare/compared_folders.hpp"
#include "suite/commands/compare/compared_sides.hpp"
#include "suite/commands/compare/comparison_record.hpp"
#include "suite/commands/compare/interleaved_sweeps.hpp"
#include "suite/commands/own_command.hpp"
#include "suite/commands/percent_option.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/commands/report/run_end.hpp"
#include "suite/commands/run/interim_looks.hpp"
#include "suite/commands/run/run_folder.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/launch/processes/stop_signals.hpp"
#include "suite/launch/shell_text.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// What a step of a bisection hands on to its comparison.
std::string options_of_a_step(const CompareArguments& arguments) {
  std::string options;
  const auto add = [&options](const std::string& option, const std::string& value) {
    options += " " + option + " " + shell_quoted(value);
  };
  for (const auto& setting : arguments.overrides.settings) add("--set", setting);
  for (const auto& constraint : arguments.overrides.constraints) add("--constraint", constraint);
  if (arguments.overrides.quick) options += " --quick";
  if (!arguments.threshold.empty())
    add("--threshold", std::to_string(percent_option("--threshold", arguments.threshold, PercentBound::kFromZero)));
  if (!arguments.launch.data.empty()) add("--data", fs::absolute(arguments.launch.data).string());
  std::ostringstream minutes;
  minutes << arguments.looks.minutes;
  add("--minutes", minutes.str());
  return options;
}

// The commands of a bisection whose every step is this comparison, by costs and until they are settled. Base's program drives all of them. A step that
// stays open, or cannot be built or run, is skipped.
// Throws UsageError that says what is missing, or cannot be.
void print_bisection(const CompareArguments& arguments, std::ostream& out) {
  const auto dots = arguments.bisect.find("..");
  const auto good = arguments.bisect.substr(0, dots);
  const auto bad = dots == std::string::npos ? "" : arguments.bisect.substr(dots + 2);
  if (good.empty() || bad.empty() || arguments.base.empty() || arguments.what.size() != 1)
    throw UsageError("compare: --bisect GOOD..BAD needs two commits, --base (a build of GOOD) and one EXPERIMENT");
  const auto base = fs::absolute(arguments.base).lexically_normal();
  if (base == fs::absolute("build").lexically_normal())
    throw UsageError(
        "compare: --bisect builds every commit into ./build: --base must be another folder, for example ../before/build");
  const auto side = compared_side(side_folder::kBase, "--base", arguments.base);
  if (!side.settings.empty()) throw UsageError("compare: --bisect needs a build's folder as --base");
  const auto step = "./bootstrap.sh build >bisect.log 2>&1 || exit 125; out=$(mktemp -d); " +
                    shell_quoted((base / "bin" / "ddpbench").string()) + " compare --base " + shell_quoted(base.string()) +
                    " --new build " + shell_quoted(arguments.what.front()) + options_of_a_step(arguments) +
                    " --costs-only --until settled --require-verdict --out $out/compare; code=$?; "
                    "if grep -q ,REGRESSION, $out/compare/comparison.csv; then exit 1; fi; [ $code -eq 0 ] || exit 125";
  out << "git bisect start " << shell_quoted(bad) << ' ' << shell_quoted(good) << '\n'
      << "git bisect run sh -c " << shell_quoted(step) << '\n'
      << "git bisect reset\n"
      << std::flush;
}

ComparisonRecord wanted_record(const CompareArguments& arguments) {
  return {arguments.base, arguments.fresh, !arguments.once,
          arguments.threshold.empty() ? 0 : percent_option("--threshold", arguments.threshold, PercentBound::kFromZero),
          arguments.costs_only};
}

// Changes the folder's rule as this call asks.
ComparisonRecord asked(ComparisonRecord record, const CompareArguments& arguments) {
  if (!arguments.threshold.empty())
    record.threshold_percent = percent_option("--threshold", arguments.threshold, PercentBound::kFromZero);
  record.costs_only |= arguments.costs_only;
  return record;
}

std::vector<ReadySide> ready_sides(const CompareArguments& arguments) {
  const auto experiment = find_experiment(arguments.what.front(), find_installation().share.string()).path;
  std::vector<ReadySide> ready;
  for (auto& side : compared_sides(arguments.base, arguments.fresh, arguments.once)) {
    auto run = get_ready(side.installation, with_settings_of(side, {experiment, arguments.overrides}), arguments.launch);
    ready.push_back({std::move(side), std::move(run), ""});
  }
  return ready;
}

void place(std::vector<ReadySide>& sides, const std::string& out) {
  for (auto& side : sides) side.path = out + "/" + side.side.folder;
}

// As many launches on every side as one of them has, or as are asked for now. Returns how many of them every side has measured.
std::int64_t plan_more(const CompareArguments& arguments, std::vector<ReadySide>& sides) {
  ExistingRun most;
  std::int64_t measured = kMaxLaunches;
  for (const auto& side : sides) {
    const auto begun = arguments.resume ? begun_run(side.path, side.ready.vocabulary) : ExistingRun();
    measured = std::min(measured, begun.measured);
    most.launches = std::max(most.launches, begun.launches);
    most.looks = std::max(most.looks, begun.looks);
    most.looks_taken = std::max(most.looks_taken, begun.looks_taken);
  }
  for (auto& side : sides) plan_launches(side.ready, wanted_looks(arguments.looks, most, side.ready.experiment.protocol));
  return measured;
}

// Looks at what was measured; whether more launches were planned.
bool goes_on(const CompareArguments& arguments, const ComparedFolders& folders, std::vector<ReadySide>& sides,
             const LookClock& clock) {
  const auto found = compare_folders(folders);
  double needed = kNotMeasured;
  std::int64_t open = 0;
  for (const auto& row : found.comparison.rows) {
    if (!row.counts || row.gate != gate::kOpen) continue;
    ++open;
    needed = std::fmax(needed, row.settle_launches);
  }
  const auto launches = sides.front().ready.experiment.protocol.launches;
  double expected_s = 0;
  for (const auto& side : sides) expected_s += expected_seconds(side.ready.plan);
  InterimState state{0, launches, needed, clock.seconds_of_one(launches, expected_s),
                     60 * arguments.looks.minutes - clock.spent_s()};
  for (const auto& side : sides) {
    auto folder = open_folder(side.ready, side.path, true, clock.started);
    folder.note_look({utc_text(std::chrono::system_clock::now()), launches, open});
    folder.close();
    state.looks = folder.looks_taken();
  }
  if (open == 0 || !arguments.looks.until_settled()) return false;
  const auto next = tell_next_look(state, counted(open, "figure"), "of each");
  if (next == launches) return false;
  for (auto& side : sides) plan_launches(side.ready, {next, kMostLooks});
  return true;
}

void make_folder_for(const std::string& out) {
  std::error_code failed;
  fs::create_directories(out, failed);
  if (failed) throw CannotRun("cannot make the folder " + out + ": " + failed.message() + " (or choose --out)");
}

// Makes the folder, or sees that it was begun for the same comparison. Returns its rule.
ComparisonRecord open_comparison(const CompareArguments& arguments, const std::string& out) {
  auto record = wanted_record(arguments);
  if (arguments.resume && has_comparison_record(out)) {
    const auto begun = read_comparison_record(out);
    if (begun.base != record.base || begun.fresh != record.fresh || begun.again != record.again) {
      throw UsageError(out + " was begun with --base " + begun.base + " --new " + begun.fresh + (begun.again ? "" : " --once") +
                       ": use the same, or another --out");
    }
    record = asked(begun, arguments);
  } else if (holds_something(out)) {
    throw UsageError(out + " is not empty" + (arguments.resume ? ", and no comparison was begun there: " : ": ") +
                     "choose another --out" + (arguments.resume ? "" : ", or --resume what was begun there"));
  }
  make_folder_for(out);
  write_comparison_record(out, record);
  return record;
}

ExitCode measure_and_judge(const CompareArguments& arguments) {
  check(arguments.looks);
  if (arguments.what.size() != 1) throw UsageError("compare: with --base and --new give one EXPERIMENT, not folders");
  const auto started = std::chrono::system_clock::now();
  const StopAtOnce stop_at_once;
  auto sides = ready_sides(arguments);
  require_same_cells(sides[0].ready.plan, sides[1].ready.plan);
  if (!arguments.out.empty()) place(sides, run_folder(arguments.out, "", started));
  const LookClock clock{started, plan_more(arguments, sides)};
  const auto out = run_folder(arguments.out, sides.front().ready.experiment.name + "-compare", started);
  place(sides, out);
  const auto record = open_comparison(arguments, out);
  std::cerr << "results: " << out << std::endl;
  auto counts = run_interleaved(sides, arguments.resume, started);
  const bool looks = sides.front().ready.experiment.protocol.looks > 1;
  while (looks && is_well(counts) && goes_on(arguments, folders_of(out, record), sides, clock))
    counts = run_interleaved(sides, true, started);
  if (is_to_be_continued(counts))
    std::cout << "to continue: " << continuing_command_line({out, !arguments.out.empty(), arguments.resume}) << std::endl;
  if (counts.ok == 0 && !is_to_be_continued(counts))
    return counts.failed + counts.wrong > 0 ? ExitCode::kDoneWithFailures : ExitCode::kNothingRunsHere;
  const auto judged = judge_comparison(arguments, folders_of(out, record), out);
  if (is_to_be_continued(counts)) return ExitCode::kStopped;
  return counts.failed + counts.wrong > 0 || !counts.lost.empty() ? ExitCode::kDoneWithFailures : judged;
}

ExitCode judge_folders(const CompareArguments& arguments) {
  const auto& overrides = arguments.overrides;
  const bool measures = arguments.resume || arguments.once || arguments.looks.until_settled() ||
                        !arguments.looks.launches.empty() || !overrides.settings.empty() || !overrides.constraints.empty() ||
                        overrides.quick;
  if (measures)
    throw UsageError(
        "compare: --resume, --once, --set, --constraint, --quick, --launches and --until need --base and --new: results "
        "folders are as they were measured");
  if (arguments.what.size() == 1 && !arguments.out.empty())
    throw UsageError("compare: --out cannot be given with a folder that was measured: the comparison is written into that");
  if (arguments.what.size() == 1) {
    const auto& folder = arguments.what.front();
    if (!has_comparison_record(folder))
      throw UsageError(
          "compare: '" + folder +
          "' is no folder of `compare --base BUILD --new BUILD`: give two results folders, or an experiment with both "
          "options");
    return judge_comparison(arguments, folders_of(folder, asked(read_comparison_record(folder), arguments)), folder);
  }
  const auto& what = arguments.what;
  std::error_code unknown;
  if (fs::equivalent(what[0], what[1], unknown))
    throw UsageError("compare: '" + what[0] + "' and '" + what[1] + "' are the same: give two results folders");
  if (!arguments.out.empty()) make_folder_for(arguments.out);
  return judge_comparison(arguments, {{what[0], what[1]}, what[0], what[1], "", wanted_record(arguments), false}, arguments.out);
}

// Checks now that the file can be written at the end.
void require_place_for(const std::string& option, const std::string& file) {
  const auto parent = fs::path(file).parent_path();
  std::error_code unknown;
  if (fs::is_directory(file, unknown))
    throw UsageError("compare: " + option + " " + file + ": it is a folder and must be a file");
  if (file.empty() || parent.empty() || fs::is_directory(parent, unknown)) return;
  throw UsageError("compare: " + option + " " + file + ": there is no folder " + parent.string());
}

ExitCode compare(const CompareArguments& arguments) {
  if (arguments.what.size() > 2)
    throw UsageError("compare: '" + arguments.what[2] + "' is one too many: give one experiment, or two results folders");
  require_place_for("--junit", arguments.junit);
  require_place_for("--json", arguments.json);
  require_place_for("--markdown", arguments.markdown);
  wanted_record(arguments);  // its mistakes are told before a folder is made
  if (!arguments.bisect.empty()) {
    print_bisection(arguments, std::cout);
    return ExitCode::kDone;
  }
  if (arguments.base.empty() != arguments.fresh.empty())
    throw UsageError(std::string("compare: ") + (arguments.base.empty() ? "--base" : "--new") +
                     " is missing: give both, or two results folders");
  return arguments.base.empty() ? judge_folders(arguments) : measure_and_judge(arguments);
}

CommandAction declare_compare(CLI::App& app) {
  const auto arguments = std::make_shared<CompareArguments>();
  app.add_option(
         "WHAT", arguments->what,
         "with --base and --new: an experiment; else two results folders (or archives of `pack`), base first; or one that "
         "`compare` has measured")
      ->required()
      ->expected(1, -1);
  app.add_option("--base", arguments->base, "a build's folder (bin/, share/), or KEY=VALUE: this build with that setting");
  app.add_option("--new", arguments->fresh, "the new build, likewise");
  add_repeated_option(app, "--set", arguments->overrides.settings, "KEY=VALUE, on both sides (may be repeated)");
  add_repeated_option(app, "--constraint", arguments->overrides.constraints, "keep the cells for which this is true");
  app.add_flag("--quick", arguments->overrides.quick, "a shorter run: the values of the experiment's table [quick]");
  app.add_option(
      "--threshold", arguments->threshold,
      "a regression is a change beyond so many percent of the step (1 or 1%); without it, beyond chance and the margin");
  app.add_flag("--costs-only", arguments->costs_only,
               "judge what arms cost over the plain loop; tell the plain loop's own step without judging it");
  app.add_flag("--once", arguments->once, "do not measure base a second time: a third less to measure, and no A/A of builds");
  app.add_option("--out", arguments->out,
                 "folder for both sides' results and the comparison (default: results/NAME-compare-UTC)");
  app.add_flag("--resume", arguments->resume, "continue the comparison in --out")->needs("--out");
  add_look_arguments(app, arguments->looks);
  add_launch_arguments(app, arguments->launch);
  app.add_flag(kTablesOnlyOption, arguments->tables_only, "no page: the comparison's CSV and Markdown only, no Python");
  app.add_flag("--require-verdict", arguments->require_verdict, "exit code 4 if something stays open");
  app.add_option("--bisect", arguments->bisect,
                 "GOOD..BAD, two commits: print the commands of a bisection by this comparison, and measure nothing");
  app.add_option("--junit", arguments->junit, "write JUnit XML to this file");
  app.add_option("--json", arguments->json, "write github-action-benchmark's JSON (customSmallerIsBetter) to this file");
  app.add_option("--markdown", arguments->markdown, "write the comment of a pull request to this file");
  return [arguments] { return compare(*arguments); };
}

}  // namespace

CommandEntry compare_command() {
  return {"compare",
          "Did this change make training slower? Two builds in turn, or two results folders",
          "With --base and --new: measures an experiment with both builds, launch by launch in turn, and judges every step and "
          "cost.\n"
          "Of two folders that were measured at different times only costs are judged, which are paired within each launch.",
          "ddpbench compare --base ../before/build --new build overhead",
          "0 no regression was found; 1 a regression, a launch failed, or a folder is damaged; 2 a mistake in the command;\n"
          "3 it could not run at all; 4 something stays open (--require-verdict); 75 stopped early, continue with --resume;\n"
          "77 every launch was skipped on this machine",
          declare_compare};
}

}  // namespace ddpbench
