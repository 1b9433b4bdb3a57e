#include "suite/sites/batch_script.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/sites/read_site.hpp"
#include "tests/suite/sites/a_plan.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kShare = DDPBENCH_SHARE_DIR;
const ScriptFacts kFacts{"abc",
                         "ddpbench-scaling",
                         "/scratch/out/all.log",
                         {},
                         "ddpbench run x.toml --out /scratch/out --resume",
                         "/scratch/out",
                         "ddpbench",
                         "report"};

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string script_for(const Site& site, const Plan& plan, const ScriptFacts& facts = kFacts) {
  const auto& system = find_entry(batch_systems(), "batch system", site.batch_system);
  return batch_script(text_of(kShare / "templates" / system.script), site, plan_jobs(plan, site, {}).jobs.at(0), facts);
}

Site shipped(const std::string& name) { return find_site(name, kShare / "sites"); }

// What each shipped site's users would submit for four nodes: what it asks for, and what every job of its batch system then does.
// DDPBENCH_WRITE_GOLDEN=1 writes the files anew: read the difference.
TEST(BatchScript, OfEveryShippedSiteIsTheGoldenOne) {
  const auto golden = [](const std::string& name) { return std::filesystem::path(DDPBENCH_GOLDEN_DIR) / (name + ".sh"); };
  for (const auto& name : site_names(kShare / "sites")) {
    const auto site = shipped(name);
    const auto script =
        script_for(site, {{test::launches_on(1, site.node_gpus, 50), test::launches_on(4, site.node_gpus, 50)}, {}});
    const auto header = golden(name), body = golden("body_of_" + site.batch_system);
    if (std::getenv("DDPBENCH_WRITE_GOLDEN") != nullptr) {
      const auto end = script.find("results=");
      std::ofstream(header) << script.substr(0, end);
      std::ofstream(body) << script.substr(end);
    }
    EXPECT_EQ(script, text_of(header) + text_of(body)) << name;
  }
}

// Runs a job's script for Slurm whose run waits for the file `end`, or for the warning, after which it ends with 75. Warned as it begins; with
// `ends_by_itself` the file is there a moment later. `progress`: what the program says of it. Returns the script's exit code and what it said.
std::string warned_job(const ScratchFolder& folder, bool ends_by_itself, const std::string& progress) {
  std::ofstream(folder / "program.sh") << "[ \"$*\" = \"--progress $PWD\" ] && echo " + progress + "\n";
  std::ofstream(folder / "run.sh") << "trap 'exit 75' USR1\ntouch begun\nwhile [ ! -e end ]; do sleep 0.05; done\n";
  const auto site = shipped("generic-slurm");
  std::ofstream(folder / "job.sh") << script_for(
      site, {{test::launches_on(1, site.node_gpus, 50)}, {}},
      {"abc", "job", folder / "log", {}, "bash run.sh", folder.path(), "bash program.sh", "report"});
  std::ofstream(folder / "scontrol") << "#!/bin/sh\necho \"$@\" >> scontrol.log\n";
  std::ofstream(folder / "warn.sh") << "chmod +x scontrol; PATH=$PWD:$PATH\nsetsid bash job.sh > said 2>&1 & job=$!\n"
                                       "while [ ! -e begun ]; do sleep 0.02; done\nkill -USR1 $job\n"
                                    << (ends_by_itself ? "sleep 0.5; touch end\n" : "")
                                    << "wait $job; echo \"ended with $?\" >> said\nkill -- -$job 2>/dev/null\n";
  EXPECT_GE(std::system(("cd " + folder.path() + " && bash warn.sh").c_str()), 0);
  return text_of(folder / "said");
}

TEST(BatchScript, AJobThatIsWarnedWhenAllIsMeasuredEndsWithItsReport) {
  const ScratchFolder folder;
  EXPECT_THAT(warned_job(folder, true, "2 2"), HasSubstr("ended with 0"));
}

TEST(BatchScript, AJobThatIsWarnedWhileItMeasuresEndsAtOnce) {
  const ScratchFolder folder;
  const auto said = warned_job(folder, false, "1 2");
  EXPECT_THAT(said, HasSubstr("no launch has ended in this time"));
  EXPECT_THAT(said, HasSubstr("ended with 75"));
}

TEST(BatchScript, AsksForTheNodesOfTheLargestCell) {
  const auto script = script_for(shipped("jean-zay-v100-8"), {{test::launches_on(2, 3, 5)}, {}});
  EXPECT_THAT(script,
              HasSubstr("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=8\n#SBATCH --gres=gpu:8\n#SBATCH --cpus-per-task=3\n"));
}

TEST(BatchScript, HoldsTheUsersOptionsBehindTheSites) {
  auto facts = kFacts;
  facts.options = {"--mail-type=END", "--constraint=v100-32g"};
  const auto script = script_for(shipped("jean-zay-v100"), {{test::launches_on(1, 4, 5)}, {}}, facts);
  EXPECT_THAT(script, HasSubstr("/scratch/out/all.log\n#SBATCH --mail-type=END\n#SBATCH --constraint=v100-32g\n"));
}

// Each is a line of the head: what follows a line break would be a command of the script.
TEST(BatchScript, RefusesAnOptionThatIsMoreThanALine) {
  const Plan plan{{test::launches_on(1, 4, 5)}, {}};
  for (const std::string separator : {"\n", "\r", "\v", "\f", "\xc2\x85", "\xe2\x80\xa8", "\xff", "\033"}) {
    for (const auto member : {&ScriptFacts::account, &ScriptFacts::job_name, &ScriptFacts::log}) {
      auto facts = kFacts;
      facts.*member = "a" + separator + "touch X";
      EXPECT_THROW(script_for(shipped("jean-zay-h100"), plan, facts), UsageError) << testing::PrintToString(separator);
    }
    auto facts = kFacts;
    facts.options = {"--comment=a" + separator + "touch X"};
    EXPECT_THROW(script_for(shipped("jean-zay-h100"), plan, facts), UsageError) << testing::PrintToString(separator);
  }
  auto site = shipped("jean-zay-h100");
  site.qualities = {};
  const auto jobs = plan_jobs(plan, site, {.layout = JobLayout::kOne, .quality = "a\ntouch X", .minutes = {}});
  EXPECT_THROW(batch_script(text_of(kShare / "templates/slurm.sh"), site, jobs.jobs.at(0), kFacts), UsageError);
}

TEST(BatchScript, TakesAPlacesNameInAValueForText) {
  auto facts = kFacts;
  facts.results = "/scratch/@MOST_RESTARTS@/@RUN@";
  facts.run = "ddpbench run --out /scratch/@RESULTS@";
  auto site = shipped("generic-slurm");
  site.setup = {"module load @OPTIONS@", "@SETUP@", "export A=@RUN@"};
  const auto script = script_for(site, {{test::launches_on(1, 4, 5)}, {}}, facts);
  EXPECT_THAT(script, HasSubstr("\nmodule load @OPTIONS@\n@SETUP@\nexport A=@RUN@\nresults=/scratch/@MOST_RESTARTS@/@RUN@ run"));
  EXPECT_THAT(script, HasSubstr("\nddpbench run --out /scratch/@RESULTS@ &\n"));
}

TEST(BatchScript, NeedsAnAccountWhereTheSiteAsksForOne) {
  auto facts = kFacts;
  facts.account = "";
  const Plan plan{{test::launches_on(1, 4, 5)}, {}};
  try {
    script_for(shipped("jean-zay-h100"), plan, facts);
    FAIL() << "written";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("needs to know who pays: give --account NAME"));
  }
  EXPECT_THAT(script_for(shipped("generic-slurm"), plan, facts), Not(HasSubstr("account")));
}

TEST(BatchScript, NamesWhatTheSiteDoesNotSay) {
  auto site = shipped("generic-slurm");
  site.resources = {"--cpus-per-task={rank_cores}"};
  try {
    script_for(site, {{test::launches_on(1, 4, 5)}, {}});
    FAIL() << "written";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'--cpus-per-task={rank_cores}': this site does not say what {rank_cores} is"));
  }
}

TEST(BatchScript, LeavesABraceAloneThatClosesNothing) {
  auto site = shipped("generic-slurm");
  site.directives = {"--comment=a}b{nodes}"};
  EXPECT_THAT(script_for(site, {{test::launches_on(2, 4, 5)}, {}}), HasSubstr("#SBATCH --comment=a}b2\n"));
}

TEST(BatchScript, OfAnArrayNamesItsTasks) {
  const auto site = shipped("generic-pbs");
  const Plan plan{{test::launches_on(1, 4, 5)}, {}};
  const auto array = plan_jobs(plan, site, {.layout = JobLayout::kArray, .quality = "", .minutes = {}}).jobs.at(0);
  EXPECT_THAT(batch_script(text_of(kShare / "templates/pbs.sh"), site, array, kFacts), HasSubstr("#PBS -J 1-5\n#PBS -j oe -o "));
}

TEST(BatchScript, OfTheJobThatMakesTheReportAsksForWhatTheSiteSays) {
  auto facts = kFacts;
  facts.run = "ddpbench report /scratch/out";
  EXPECT_EQ(collecting_script(text_of(kShare / "templates/collect.sh"), shipped("jean-zay-h100"), facts),
            "#!/bin/bash -l\n#SBATCH --job-name=ddpbench-scaling\n#SBATCH --account=abc@h100\n#SBATCH --partition=prepost\n"
            "#SBATCH --ntasks=1\n#SBATCH --hint=nomultithread\n#SBATCH --time=01:00:00\n#SBATCH --output=/scratch/out/all.log\n"
            "module purge\nmodule load arch/h100\n"
            "# Behind all jobs of the study, however they ended: one page of what they have measured.\n"
            "ddpbench report /scratch/out\n");
}

// As in a gloo experiment on nodes that have GPUs.
TEST(BatchScript, AsksForAsManyRanksAsACellHas) {
  EXPECT_THAT(script_for(shipped("generic-slurm"), {{test::launches_on(2, 8, 5)}, {}}), HasSubstr("--ntasks-per-node=8\n"));
}

// On a site without GPUs.
TEST(BatchScript, CountsTheRanksOfACellWhereNoGpuDoes) {
  auto site = shipped("generic-slurm");
  site.node_gpus = 0;
  site.resources = {"--ntasks-per-node={node_ranks}"};
  EXPECT_THAT(script_for(site, {{test::launches_on(1, 2, 5), test::launches_on(2, 6, 5)}, {}}),
              HasSubstr("--ntasks-per-node=6\n"));
}

}  // namespace
}  // namespace ddpbench
