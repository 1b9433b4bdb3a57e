// The built program, copied into an installation of its own whose worker is a shell script.
#include <gmock/gmock.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/store/results_folder.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr double kLongEnough = 60;

const std::string kWorker =
    "if [ $1 = --probe ]; then echo '{\"worker_build_id\": \"b1\", \"torch\": \"2.11.0\", \"why_not\": {}}'; exit 0; fi\n"
    "while [ $# -gt 1 ]; do case $1 in --part-dir) part=$2;; --launch-id) id=$2;; esac; shift 2; done\n"
    "leave() { echo \"{\\\"status\\\": \\\"$1\\\", \\\"reason\\\": \\\"\\\", \\\"arms\\\": {}, \\\"host\\\": \\\"h\\\"}\" "
    "> $part/outcome.$RANK.json; }\n";

Vocabulary small_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.worker_build_id = "b1";
  vocabulary.workloads = {{.name = "null"}};
  vocabulary.strategies = {{.name = "ddp"}};
  vocabulary.backends = {{.name = "gloo"}, {.name = "nccl", .why_not_built = "no GPU library"}};
  vocabulary.precisions = {{.name = "fp32"}};
  vocabulary.arms = {{.name = "raw"}, {.name = "raw_again"}};
  vocabulary.arms.front().role = ArmRole::kReference;
  return vocabulary;
}

struct ProgramTest : ::testing::Test {
  test::ScriptFolder folder;

  void SetUp() override {
    fs::create_directories(folder.path() / "bin");
    fs::create_directories(folder.path() / "share/ddpbench/experiments");
    fs::copy_file(DDPBENCH_PROGRAM, folder.path() / "bin/ddpbench");
    std::ofstream(folder.path() / "share/ddpbench/vocabulary.json") << to_json(small_vocabulary());
    std::ofstream(folder.path() / "share/ddpbench/experiments/small.toml")
        << "name = 'small'\narms = ['raw', 'raw_again']\n[axes]\nworkload = ['null']\nranks_per_node = [2]\n[protocol]\nlaunches "
           "= 2\n";
    use_worker("leave ok");
  }
  void use_worker(const std::string& body) const { folder.script("bin/ddpbench-worker", kWorker + body); }
  std::string results() const { return folder.path() / "results"; }

  // A bare environment, but for a Python that draws an empty page.
  CapturedRun run(const std::vector<std::string>& arguments) const { return run_with(DDPBENCH_EMPTY_PAGE, arguments); }
  CapturedRun run_with(const std::string& python, const std::vector<std::string>& arguments) const {
    std::vector<std::string> tokens{"/usr/bin/env", "-i", "DDPBENCH_PYTHON=" + python, folder.path() / "bin/ddpbench"};
    tokens.insert(tokens.end(), arguments.begin(), arguments.end());
    return run_captured({tokens, {}, {}, {}}, kLongEnough);
  }
  // Results folders of one run, for what only reads them.
  std::string measured(const std::string& name, const std::string& setting = "launches=2") const {
    run({"run", "small", "--out", folder.path() / name, "--set", setting});
    return folder.path() / name;
  }

  // `script` is a shell's, for which $@ is the program and its arguments.
  CapturedRun run_by_shell(const std::string& script, const std::vector<std::string>& arguments) const {
    std::vector<std::string> tokens{"/usr/bin/env",
                                    "-i",
                                    std::string("DDPBENCH_PYTHON=") + DDPBENCH_EMPTY_PAGE,
                                    "/bin/sh",
                                    "-c",
                                    script,
                                    "sh",
                                    folder.path() / "bin/ddpbench"};
    tokens.insert(tokens.end(), arguments.begin(), arguments.end());
    return run_captured({tokens, {}, {}, {}}, kLongEnough);
  }
};

TEST_F(ProgramTest, FindsItsPartsInABareEnvironment) {
  const auto listed = run({"list", "backends"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, AllOf(HasSubstr("gloo"), HasSubstr("not built: no GPU library")));
  EXPECT_THAT(run({"list", "backends", "--json"}).out, HasSubstr("\"available\": false"));
  EXPECT_THAT(run({"list"}).out, HasSubstr("tables: CSV files"));
}

// The build makes share/ddpbench/schema.json by it, before there is a worker.
TEST_F(ProgramTest, ExplainsItsTablesWithoutAWorker) {
  fs::remove(folder.path() / "share/ddpbench/vocabulary.json");
  const auto listed = run({"list", "tables"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("overhead.csv: a row is one arm of one cell on one clock\n"));
  EXPECT_THAT(listed.out, HasSubstr("  number   95 % bound [us]\n"));
  const auto json = nlohmann::json::parse(run({"list", "tables", "--json"}).out);
  const nlohmann::json launch_id{{"name", "launch_id"}, {"type", "text"}, {"unit", ""}, {"help", "name of the launch"}};
  EXPECT_EQ(json["tables"][0]["file"], "plan.csv");
  EXPECT_EQ(json["tables"][0]["columns"][0], launch_id);
}

TEST_F(ProgramTest, PlansWithoutStartingAnything) {
  use_worker("touch $0.started");
  const auto plan = run({"plan", "small"});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("2 launches"), HasSubstr("RANK=0"), HasSubstr("bin/ddpbench-worker --launch-id")));
  EXPECT_FALSE(fs::exists(folder.path() / "bin/ddpbench-worker.started"));
}

TEST_F(ProgramTest, RunsAndLeavesAWholeFolder) {
  const auto done = run({"run", "small", "--out", results()});
  EXPECT_THAT(run({"verify", results()}).out, HasSubstr("is whole"));
  const auto stored = ResultsFolder::open(results());
  ASSERT_EQ(stored.runs().size(), 4U) << done.err;
  EXPECT_EQ(stored.runs()[0].status, status::kOk);
  EXPECT_EQ(stored.environment().at("torch"), "2.11.0");
  EXPECT_THAT(stored.environment().at("command_line").get<std::string>(), HasSubstr("run small --out"));
}

TEST_F(ProgramTest, HearsOfTheEndOfRanksWhereItsCallerIgnoresSuchSignals) {
  const auto done = run_by_shell("trap '' CHLD; exec \"$@\"", {"run", "small", "--out", results()});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(ResultsFolder::open(results()).runs().size(), 4U);
}

TEST_F(ProgramTest, AnAnswerThatCouldNotBeWrittenIsNone) {
  const auto full = run_by_shell("exec \"$@\" > /dev/full", {"list", "backends"});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("standard output could not be written"));
  EXPECT_EQ(run_by_shell("\"$@\" | :; \"$@\" | head -1 > /dev/null", {"list", "backends"}).exit_code, 0);
}

TEST_F(ProgramTest, TheFolderAloneKnowsTheBudget) {
  run({"run", "small", "--out", results(), "--budget", "2.5%"});
  EXPECT_THAT(ResultsFolder::open(results()).experiment_toml(), HasSubstr("\nbudget_percent = 2.5 "));
}

TEST_F(ProgramTest, NeedsAnEmptyFolderOrResume) {
  run({"run", "small", "--out", results()});
  EXPECT_EQ(run({"run", "small", "--out", results()}).exit_code, 2);
  use_worker("exit 1");  // nothing is left to run, so nobody asks it
  EXPECT_EQ(run({"run", "small", "--out", results(), "--resume"}).exit_code, 0);
  EXPECT_EQ(run({"run", "small", "--out", results(), "--resume", "--set", "seed=3"}).exit_code, 2);
}

TEST_F(ProgramTest, AFolderIsExtendedByMoreLaunches) {
  run({"run", "small", "--out", results()});
  EXPECT_EQ(run({"run", "small", "--out", results(), "--resume", "--set", "launches=3"}).exit_code, 0);
  const auto extended = ResultsFolder::open(results());
  EXPECT_EQ(extended.plan().size(), 3U);
  EXPECT_TRUE(extended.is_finished(extended.plan().back().launch_id));
  EXPECT_EQ(extended.looks_taken(), 1);
  EXPECT_EQ(run({"run", "small", "--out", results(), "--resume"}).exit_code, 0) << "it knows that it has three";
  EXPECT_EQ(ResultsFolder::open(results()).plan().size(), 3U);
}

TEST_F(ProgramTest, EndsWithOneWhereALaunchFailed) {
  use_worker("[ $RANK = 0 ] || { echo 'out of memory' >&2; exit 9; }; leave ok");
  const auto done = run({"run", "small", "--out", results()});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, HasSubstr("failed: rank 1 ended with exit code 9; it last said: out of memory"));
}

TEST_F(ProgramTest, StopsAtASignalAndResumes) {
  use_worker("trap 'leave partial; exit 75' TERM; [ $RANK = 1 ] || kill -TERM $PPID\nwhile :; do sleep 100 & wait; done");
  const auto stopped = run({"run", "small", "--out", results()});
  EXPECT_EQ(stopped.exit_code, 75) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("1 of 2 launches never ran"));
  EXPECT_EQ(ResultsFolder::open(results()).runs().at(0).status, status::kPartial);
  use_worker("leave ok");
  EXPECT_EQ(run({"run", "small", "--out", results(), "--resume"}).exit_code, 0);
}

TEST_F(ProgramTest, EndsWith77WhereNothingCanRun) {
  const auto skipped = run({"run", "small", "--out", results(), "--set", "backend=nccl"});
  EXPECT_EQ(skipped.exit_code, 77);
  EXPECT_THAT(skipped.out, HasSubstr("skipped: backend 'nccl' is not built: no GPU library"));
}

TEST_F(ProgramTest, SaysHowToGetAWorker) {
  fs::remove(folder.path() / "bin/ddpbench-worker");
  const auto missing = run({"run", "small", "--out", results()});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("bootstrap.sh build"));
  EXPECT_FALSE(fs::exists(results()));
  EXPECT_EQ(run({"doctor"}).exit_code, 3);
}

TEST_F(ProgramTest, StartsNothingOnAMistake) {
  const auto wrong = run({"run", "small", "--out", results(), "--set", "backend=glooo"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("glooo"));
  EXPECT_FALSE(fs::exists(results()));
  EXPECT_EQ(run({"run", "no_such_experiment"}).exit_code, 2);
  EXPECT_EQ(run({"run", "small", "--launcher", "carrier-pigeon"}).exit_code, 2);
}

TEST_F(ProgramTest, WantsAVerdictOnlyWhereAsked) {
  EXPECT_EQ(run({"run", "small", "--out", results(), "--require-verdict"}).exit_code, 4) << "no pair was measured";
}

TEST_F(ProgramTest, ReportsOnlyResultsFolders) {
  EXPECT_EQ(run({"report", folder.path()}).exit_code, 2);
  EXPECT_EQ(run({"verify", folder.path()}).exit_code, 2);
  use_worker("exit 1");
  run({"run", "small", "--out", results()});
  EXPECT_EQ(run({"report", results()}).exit_code, 1) << "no launch finished";
}

// Python that ended well, and nobody knows with what.
TEST_F(ProgramTest, SaysThatAPageIsThereOnlyWhereItWasWritten) {
  const auto folder_path = measured("results");
  EXPECT_THAT(run({"report", folder_path}).out, HasSubstr("report: " + folder_path + "/report.html\n"));
  const auto none = run_with("/bin/true", {"report", folder_path});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.out, Not(HasSubstr("\nreport: ")));
  EXPECT_THAT(none.out,
              AllOf(HasSubstr("the tables are written; report.html could not be written: /bin/true ended with exit code 0"),
                    HasSubstr("the report.html that is there is of an earlier report")));
}

TEST_F(ProgramTest, TellsTheTruthWherePythonCannotBeStarted) {
  const auto no_program = folder.path() / "notes.txt";
  std::ofstream(no_program) << "not executable\n";
  const auto done = run_with(no_program, {"run", "small", "--out", results()});
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, AllOf(HasSubstr("the tables are written; report.html could not be written: cannot start"),
                              HasSubstr("notes.txt"), Not(HasSubstr("tables could not"))));
  EXPECT_TRUE(fs::exists(results() + "/overhead.csv"));
}

TEST_F(ProgramTest, TwoReportsNeverGoToOnePlace) {
  fs::create_directories(folder.path() / "a");
  fs::create_directories(folder.path() / "b");
  const auto one = measured("a/same");
  const auto other = measured("b/same", "block_steps=3");
  const auto out = (folder.path() / "reports").string();
  const auto refused = run({"report", one, other, "--out", out});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(one + " and " + other), HasSubstr(out + "/same")));
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(run({"report", one, measured("c", "block_steps=3"), "--out", out, "--tables-only"}).exit_code, 1)
      << "no launch finished";
  EXPECT_TRUE(fs::exists(out + "/same/overhead.csv") && fs::exists(out + "/c/overhead.csv"));
}

TEST_F(ProgramTest, FoldersOfOneExperimentAreOneStudy) {
  const auto one = measured("one"), two = measured("two");
  const auto done = run({"report", one, two, "--tables-only"});
  EXPECT_THAT(done.out, StartsWith("one study of 2 folders: " + one + ", " + two));
  EXPECT_TRUE(fs::exists(folder.path() / "small-study/overhead.csv"));
  EXPECT_FALSE(fs::exists(one + "/small-study"));
}

TEST_F(ProgramTest, AReportElsewhereReplacesLinksAndFollowsNone) {
  const auto folder_path = measured("results");
  const auto out = folder.path() / "out";
  const auto victim = folder.path() / "victim";
  fs::create_directories(out);
  fs::create_directory(folder.path() / "elsewhere");
  std::ofstream(victim) << "mine\n";
  for (const auto* name : {"plan.csv", "environment.json", "overhead.csv"}) fs::create_symlink(victim, out / name);
  fs::create_directory_symlink(folder.path() / "elsewhere", out / "tables");
  EXPECT_EQ(run({"report", folder_path, "--out", out}).exit_code, 1) << "no launch finished";
  EXPECT_EQ(folder.read("victim"), "mine\n");
  EXPECT_TRUE(fs::is_empty(folder.path() / "elsewhere"));
  EXPECT_FALSE(fs::is_symlink(out / "plan.csv") || fs::is_symlink(out / "overhead.csv") || fs::is_symlink(out / "tables"));
}

TEST_F(ProgramTest, NamesTheFileWhoseJsonIsDamaged) {
  const auto folder_path = measured("results");
  const auto path = folder_path + "/environment.json";
  for (const auto& [key, value] : {std::pair{"schema_version", "three"}, {"arms", "none"}}) {
    auto environment = ResultsFolder::open(folder_path).environment();
    environment[key] = value;
    std::ofstream(path) << environment;
    const auto report = run({"report", folder_path});
    EXPECT_EQ(report.exit_code, 2) << key;
    EXPECT_THAT(report.err, AllOf(HasSubstr(path), Not(HasSubstr("json.exception"))));
    environment.erase(key);
    std::ofstream(path) << environment;
  }
}

TEST_F(ProgramTest, NoReasonSteersTheTerminal) {
  use_worker("printf '\\033]0;owned\\007\\n' >&2; exit 9");
  const auto done = run({"run", "small", "--out", results()});
  EXPECT_THAT(done.out, HasSubstr("it last said: ?]0;owned?"));
  EXPECT_THAT(done.out + done.err + folder.read("results/runs.csv"), Not(HasSubstr("\033")));
}

TEST_F(ProgramTest, AReportRemovesDraftsThatNobodyWritesAnyMore) {
  const auto path = measured("a");
  for (const auto* name : {"/tables/schema.json.77-0.new", "/tables/cells.csv.78-0.new", "/notes.new"}) {
    std::ofstream(path + name) << "{";
    fs::last_write_time(path + name, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  fs::last_write_time(path + "/tables/cells.csv.78-0.new", fs::file_time_type::clock::now());
  run({"report", path});
  EXPECT_FALSE(fs::exists(path + "/tables/schema.json.77-0.new"));
  EXPECT_TRUE(fs::exists(path + "/tables/cells.csv.78-0.new") && fs::exists(path + "/notes.new"));
}

// As bash itself would ask it.
TEST_F(ProgramTest, CompletesInBash) {
  const auto completed = [&](const std::string& line) {
    const std::string ask =
        "source /dev/stdin <<< \"$(\"$0\" completion bash)\"; COMP_WORDS=(ddpbench " + line +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ddpbench; echo \"${COMPREPLY[*]}\"; [ ${#COMPREPLY[@]} -lt 2 ]";
    return run_captured({{"/bin/bash", "--norc", "-c", ask, folder.path() / "bin/ddpbench"}, {}, {}, {}, folder.path()},
                        kLongEnough)
        .out;
  };
  EXPECT_EQ(completed("re"), "report\n");
  EXPECT_EQ(completed("run sma"), "small\n");
  EXPECT_EQ(completed("run --requ"), "--require-verdict\n");
  EXPECT_EQ(completed("list back"), "backends\n");
  EXPECT_EQ(completed("data ver"), "verify\n");
  EXPECT_EQ(completed("report sha"), "share\n");
  EXPECT_EQ(completed("nonsense --x"), "\n");
  fs::create_directories(folder.path() / "my results");
  EXPECT_EQ(completed("report my"), "my results\n");
  EXPECT_THAT(run({"completion", "tcsh"}).err, HasSubstr("unknown shell 'tcsh' (known: bash, zsh)"));
}

TEST_F(ProgramTest, ExaminesTheMachine) {
  const auto facts = run({"doctor", "--json"});
  EXPECT_EQ(facts.exit_code, 0) << facts.err;
  const auto json = nlohmann::json::parse(facts.out);
  EXPECT_EQ(json.at("worker").at("torch"), "2.11.0");
  EXPECT_TRUE(json.at("machine").contains("load"));
}

}  // namespace
}  // namespace ddpbench
