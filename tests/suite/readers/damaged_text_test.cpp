// Every reader of a text from outside, fed with damaged texts. It may refuse one (Error, with words) or make sense of it; another
// exception, a crash, or what a sanitizer finds is a failure. The texts are the same every time; all of them take seconds under sanitizers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "reports/analysis/samples/samples.hpp"
#include "reports/analysis/samples/settings.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/launch/rank_progress.hpp"
#include "suite/plan/constraint.hpp"
#include "suite/plan/plan.hpp"
#include "suite/store/gzip_members.hpp"
#include "tests/suite/readers/mutation.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sound_experiment.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

constexpr int kMany = 1000;
constexpr int kSome = 150;  // of readers that open a file or take large buffers: milliseconds each under sanitizers
constexpr unsigned kSeed = 20261121;

template <class Row>
std::string csv_of(const std::vector<Row>& rows) {
  auto text = csv_header<Row>();
  for (const auto& row : rows) append_csv_row(text, row);
  return text;
}

// Rows that were read once read the same again, and no line got lost.
template <class Row>
void read_csv(const std::string& text) {
  const auto rows = read_csv_text<Row>(text, "file.csv");
  ASSERT_EQ(csv_of(read_csv_text<Row>(csv_of(rows), "again.csv")), csv_of(rows));
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  ASSERT_EQ(rows.size(), ends - (text.back() == '\n' ? 1 : 0));
}

void read_experiment(const std::string& text) {
  const auto vocabulary = test::test_vocabulary();
  const auto experiment = parse_experiment(text, "x.toml", vocabulary);
  ASSERT_EQ(parse_experiment(to_toml(experiment), "x.toml", vocabulary), experiment);
  ASSERT_FALSE(make_plan(experiment, vocabulary, {}, PlanDepth::kFirstRepetition).launches.empty());
}

void read_constraint(const std::string& text) {
  const std::vector<ConstraintName> names{
      {"nodes", TermKind::kNumber}, {"backend", TermKind::kText}, {"on", TermKind::kCondition}};
  const std::vector<ConstraintValue> values{{.number = 2, .text = {}}, {.text = "gloo"}, {.text = {}, .condition = true}};
  const auto constraint = Constraint::parse(text, names);
  ASSERT_EQ(constraint.holds(values), Constraint::parse(constraint.text(), names).holds(values));
}

void read_command_line(const std::string& text) {
  std::vector<std::string> tokens;
  std::istringstream words(text);
  for (std::string word; words >> word;) tokens.push_back(word);
  const auto spec = launch_spec_from_tokens(tokens);
  ASSERT_EQ(to_tokens(launch_spec_from_tokens(to_tokens(spec))), to_tokens(spec));
}

void read_steps(const std::string& text) {
  LaunchSamples samples;
  read_step_samples(text, "steps.csv.gz", samples);
}

void read_outcome_text(const std::string& text) {
  const ScratchFolder scratch;
  std::ofstream(scratch / "outcome.0.json") << text;
  read_outcome(scratch.path(), 0);
}

// All or nothing: the checksum sees every change of the text.
void read_gzip(const std::string& bytes) {
  const ScratchFolder scratch;
  const auto path = scratch / "a.gz";
  std::ofstream(path) << bytes;
  GzipMemberReader members(path, static_cast<std::int64_t>(bytes.size()));
  for (std::string text; members.next(text); text.clear()) ASSERT_TRUE(text == "header\n" || text == "one launch\n") << text;
}

std::string two_members() {
  const ScratchFolder scratch;
  append_gzip_member(scratch / "a.gz", append_gzip_member(scratch / "a.gz", 0, "header\n"), "one launch\n");
  return read_file(scratch / "a.gz");
}

std::string outcome_text() {
  const ScratchFolder scratch;
  write_outcome(scratch.path(), 0, {status::kFailed, "why", {{"trainer", {status::kWrongResult, "losses"}}}, "host"});
  return read_file(scratch / "outcome.0.json");
}

std::string joined_tokens() {
  auto spec = sample_spec();
  spec.options[OptionGroup::kWorkload] = {{"stem", "cifar"}};
  std::string text;
  for (const auto& token : to_tokens(spec)) text += token + " ";
  return text;
}

struct Reader {
  const char* name;
  void (*read)(const std::string& text);
  std::vector<std::string> sound;
  int texts = kMany;
};

std::vector<Reader> readers() {
  const auto launch = sample_result(sample_spec(), 3);
  const auto steps = csv_header<StepRow>() + launch.steps_csv;
  return {{"steps_csv", read_csv<StepRow>, {steps}, kSome},
          {"blocks_csv", read_csv<BlockRow>, {csv_header<BlockRow>() + launch.blocks_csv}, kSome},
          {"runs_csv", read_csv<RunRow>, {csv_of(launch.runs)}, kSome},
          {"metrics_csv", read_csv<MetricRow>, {csv_of(launch.metrics)}, kSome},
          {"plan_csv", read_csv<PlanRow>, {csv_of<PlanRow>({sample_plan_row(sample_spec())})}, kSome},
          {"step_samples", read_steps, {steps}, kSome},
          {"experiment",
           read_experiment,
           {test::kSoundExperiment, "name = \"m\"\narms = [\"raw\"]\n[axes]\nworkload = [\"null\"]\n"}},
          {"settings", [](const std::string& text) { read_settings(text, "x.toml"); }, {test::kSoundExperiment}},
          {"constraint", read_constraint, {"nodes * 2 <= 16 and not backend == 'mpi'", "on or (nodes % 3 - -1) / 2 != 0.5"}},
          {"command_line", read_command_line, {joined_tokens()}},
          {"outcome", read_outcome_text, {outcome_text()}, kSome},
          {"progress",
           [](const std::string& text) { parse_progress(text); },
           {"@progress stage=measure super_blocks=12 elapsed=3.4"}},
          {"gzip_members", read_gzip, {two_members()}, kSome}};
}

class DamagedText : public ::testing::TestWithParam<Reader> {};
INSTANTIATE_TEST_SUITE_P(Readers, DamagedText, ::testing::ValuesIn(readers()),
                         [](const auto& reader) { return std::string(reader.param.name); });

TEST_P(DamagedText, IsRefusedWithWordsOrUnderstood) {
  const std::vector<std::string> splinters{"\"",
                                           "\"\"",
                                           "[",
                                           "]",
                                           "=",
                                           ",",
                                           "\n",
                                           "\r\n",
                                           "-1",
                                           "1e999",
                                           "nan",
                                           "inf",
                                           "{",
                                           "}",
                                           "(",
                                           ")",
                                           "'",
                                           "\\",
                                           "\xff",
                                           "9223372036854775808",
                                           "[axes]",
                                           "true",
                                           " ",
                                           "\xef\xbb\xbf",
                                           std::string(1, '\0'),
                                           std::string(3000, '(')};
  for (const auto& text : GetParam().sound) GetParam().read(text);
  test::Mutation mutation(GetParam().sound, splinters, kSeed);
  for (int i = 0; i < GetParam().texts && !HasFailure(); ++i) {
    const auto text = mutation.next();
    SCOPED_TRACE("text " + std::to_string(i) + ":\n" + text);
    try {
      GetParam().read(text);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not an Error: " << error.what();
    }
  }
}

}  // namespace
}  // namespace ddpbench
