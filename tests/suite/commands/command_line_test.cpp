#include "suite/commands/command_line.hpp"

#include <gmock/gmock.h>

#include "suite/commands/commands.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string mistake_of(const std::vector<std::string>& arguments) {
  try {
    run_command_line(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no mistake";
}

std::string output_of(const std::vector<std::string>& arguments) {
  ::testing::internal::CaptureStdout();
  const auto code = run_command_line(arguments);
  const auto text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, ExitCode::kDone);
  return text;
}

TEST(CommandLine, ListsTheCommandsWhereOneIsUnknown) {
  EXPECT_THAT(
      mistake_of({"mesure"}),
      AllOf(HasSubstr("unknown command 'mesure'"),
            HasSubstr("doctor, list, plan, run, collectives, preflight, submit, watch, report, compare, history, predict")));
}

TEST(CommandLine, AloneItSaysWhatToTypeFirst) {
  EXPECT_THAT(mistake_of({}), AllOf(HasSubstr("Start with `ddpbench run demo`"), HasSubstr("ddpbench --help")));
}

TEST(CommandLine, OffersTheNearestCommand) { EXPECT_THAT(mistake_of({"rnu"}), HasSubstr("did you mean 'run'?")); }

TEST(CommandLine, NamesTheCommandOfAnUnknownOption) {
  EXPECT_EQ(mistake_of({"run", "demo", "--launcher"}), "run: --launcher needs a value; see `ddpbench run --help`");
  EXPECT_THAT(mistake_of({"data", "maek"}),
              HasSubstr("data: a command is missing: unknown command 'maek' (known: make, verify)"));
  EXPECT_THAT(mistake_of({"run", "demo", "--ouch"}), AllOf(HasSubstr("run: "), HasSubstr("--ouch"), HasSubstr("--out")));
  EXPECT_THAT(mistake_of({"data", "make", "x", "--sed", "3"}), AllOf(HasSubstr("data make: "), HasSubstr("--seed")));
}

TEST(CommandLine, WantsTheExperiment) { EXPECT_THAT(mistake_of({"run"}), HasSubstr("EXPERIMENT is required")); }

TEST(CommandLine, ResumesOnlyWhatIsNamed) { EXPECT_THAT(mistake_of({"run", "demo", "--resume"}), HasSubstr("--out")); }

TEST(CommandLine, ABudgetIsAPercentage) {
  for (const auto* text : {"much", "2 %", "%", "-1", "0", "nan", "2%%"}) {
    EXPECT_THAT(mistake_of({"run", "demo", "--budget=" + std::string(text)}),
                AllOf(HasSubstr("--budget '" + std::string(text) + "'"), HasSubstr("2 or 2%")));
  }
}

TEST(CommandLine, TakesOneValuePerRepeatedOption) {
  // Were --set greedy, it would take the experiment too, and the message would be another.
  EXPECT_THAT(mistake_of({"plan", "--set", "backend=gloo", "--set", "nodes=1", "demo", "more"}), HasSubstr("more"));
}

TEST(CommandLine, HelpOfEveryCommandHasItsExample) {
  const auto overview = output_of({"--help"});
  for (const auto& command : commands()) {
    EXPECT_THAT(overview, HasSubstr(command.name));
    const auto help = output_of({command.name, "--help"});
    EXPECT_THAT(help, AllOf(HasSubstr(command.about), HasSubstr(std::string("Example: ") + command.example),
                            HasSubstr(std::string("Exit codes: ") + command.exit_codes)));
    EXPECT_EQ(std::string(command.example).rfind(std::string("ddpbench ") + command.name, 0), 0U);
  }
}

TEST(CommandLine, RepeatsNoMoreThanALineOfWhatWasGiven) {
  EXPECT_LT(mistake_of({"plan", "demo", std::string(100'000, 'a')}).size(), 1000U);
}

TEST(CommandLine, AnEmptyValueIsRefused) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"run", "demo", "--out", ""},
                                                                     {"report", "x", "--out", ""},
                                                                     {"pack", "x", "--out", ""},
                                                                     {"plan", "demo", "--data", ""},
                                                                     {"verify", ""}}) {
    EXPECT_THAT(mistake_of(arguments), HasSubstr("is empty: must be given a value")) << testing::PrintToString(arguments);
  }
}

TEST(CommandLine, ASeedIsAnIntegerWithoutSignAndLeadingZeros) {
  for (const auto* text : {"-1", "010", "99999999999999999999999", "0x10", "1.0", "+1", " 1"}) {
    EXPECT_THAT(mistake_of({"data", "make", "/nowhere", "--seed=" + std::string(text)}),
                AllOf(HasSubstr("--seed: '" + std::string(text) + "'"), HasSubstr("from 0 to 18446744073709551615")));
  }
}

}  // namespace
}  // namespace ddpbench
