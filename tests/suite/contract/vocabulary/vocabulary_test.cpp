#include "suite/contract/vocabulary/vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/entries_json.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

OptionEntry batch_option() {
  return {.name = "n",
          .type = OptionType::kInteger,
          .default_value = "1",
          .legal = {},
          .minimum = 1,
          .maximum = 64,
          .help = "how many"};
}

Vocabulary sample() {
  Vocabulary vocabulary{.worker_build_id = "abc",
                        .torch_version = "2.11.0",
                        .workloads = {},
                        .strategies = {},
                        .backends = {},
                        .precisions = {},
                        .arms = {},
                        .features = {},
                        .metrics = {}};
  const OptionEntry stem{.name = "stem",
                         .type = OptionType::kText,
                         .default_value = "cifar",
                         .legal = {"cifar", "imagenet"},
                         .help = "s",
                         .is_file = true};
  const CellExclusion no_fp16{{{"device", "cpu"}, {"precision", "amp_fp16"}}, "no fp16 there"};
  vocabulary.workloads = {{"null", "one layer", {batch_option(), stem}, "cifar10", 50'000, {no_fp16}}};
  vocabulary.strategies = {{"single", "one", {batch_option()}, 4}};
  vocabulary.backends = {{"mpi", "m", {stem}, "no MPI", "cpu", true}};
  vocabulary.precisions = {{"tf32", "t", {stem}, 80, {{"device", {"cuda"}}}}};
  vocabulary.arms = {{.name = "trainer",
                      .help = "t",
                      .options = {stem},
                      .features = {"loops"},
                      .takes = {"log"},
                      .requires_features = {"log"},
                      .bundles = {{"log", {"log=4"}}},
                      .only = {{"strategy", {"ddp"}}},
                      .excludes_cells = {no_fp16},
                      .role = ArmRole::kPositiveControl,
                      .reference = "raw",
                      .program = "python",
                      .trains_whole = true,
                      .is_wrapper = true,
                      .clocks = {"wall"},
                      .equality = Equality::kRounding}};
  vocabulary.features = {{.name = "log",
                          .help = "l",
                          .only = {{"strategy", {"ddp"}}},
                          .excludes_cells = {no_fp16},
                          .clocks = {"device"},
                          .requires_features = {"loops"},
                          .excludes_features = {"bar"},
                          .value = batch_option(),
                          .bundle = {"log=3"},
                          .makes = ArmRole::kProbe,
                          .without_makes = ArmRole::kSubject,
                          .equality = Equality::kLossy,
                          .changes_work = true,
                          .is_ideal_network = true}};
  vocabulary.metrics = {{"peak_memory_mib", "p", "MiB"}};
  return vocabulary;
}

// No longer compiles when a kind gains a member: give it a key in entries_json.cpp, and in sample() another value than its default.
[[maybe_unused]] void count_members(const Vocabulary& tables) {
  [[maybe_unused]] const auto& [w1, w2, w3, w4, w5, w6] = tables.workloads.front();
  [[maybe_unused]] const auto& [s1, s2, s3, s4] = tables.strategies.front();
  [[maybe_unused]] const auto& [b1, b2, b3, b4, b5, b6] = tables.backends.front();
  [[maybe_unused]] const auto& [p1, p2, p3, p4, p5] = tables.precisions.front();
  [[maybe_unused]] const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16] = tables.arms.front();
  [[maybe_unused]] const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = tables.features.front();
  [[maybe_unused]] const auto& [m1, m2, m3] = tables.metrics.front();
}

// Every member differs from its default in sample(): one that has no key is lost on the way.
TEST(Vocabulary, ReadsBackEveryMemberThatItWrote) {
  const auto once = sample();
  const auto again = vocabulary_from_json(to_json(once), "vocabulary.json");
  EXPECT_EQ(again.workloads, once.workloads);
  EXPECT_EQ(again.strategies, once.strategies);
  EXPECT_EQ(again.backends, once.backends);
  EXPECT_EQ(again.precisions, once.precisions);
  EXPECT_EQ(again.arms, once.arms);
  EXPECT_EQ(again.features, once.features);
  EXPECT_EQ(again.metrics, once.metrics);
  EXPECT_EQ(to_json(again), to_json(once));
}

TEST(Vocabulary, AnEntryIsWrittenWithoutItsKindsDefaults) {
  EXPECT_EQ(entries_to_json<ArmEntry>({{.name = "raw", .help = "r"}}).dump(), R"([{"name":"raw","help":"r"}])");
}

TEST(Vocabulary, AFileOfAnotherShapeIsRefusedByName) {
  auto json = to_json(sample());
  json["features"][0]["makes"] = "king";
  EXPECT_THAT([&] { vocabulary_from_json(json, "v.json"); },
              ThrowsMessage<CannotRun>(HasSubstr("unknown role of an arm 'king' (known: reference, aa_control")));
  json.erase("arms");
  EXPECT_THAT([&] { vocabulary_from_json(json, "v.json"); }, ThrowsMessage<CannotRun>(HasSubstr("v.json")));
  EXPECT_THAT([] { read_vocabulary("/nowhere/vocabulary.json"); }, ThrowsMessage<CannotRun>(HasSubstr("bootstrap.sh build")));
}

TEST(Vocabulary, OptionsSayWhatIsLegal) {
  const auto option = batch_option();
  EXPECT_EQ(why_illegal(option, "64"), "");
  EXPECT_EQ(why_illegal(option, "65"), "must be from 1 to 64");
  EXPECT_EQ(why_illegal(option, "1.5"), "must be an integer");
  EXPECT_EQ(why_illegal(option, "nan"), "must be an integer");
  EXPECT_EQ(why_illegal(sample().workloads[0].options[1], "vit"), "must be one of cifar, imagenet");
  OptionEntry on_or_off;
  on_or_off.type = OptionType::kSwitch;
  EXPECT_EQ(why_illegal(on_or_off, "yes"), "must be true or false");
}

TEST(Vocabulary, OptionsThatDoNotGoTogetherSayWhatIsNeeded) {
  const std::vector<OptionEntry> options{{.name = "accumulate", .type = OptionType::kInteger, .default_value = "1", .help = "n"},
                                         {.name = "static_graph",
                                          .type = OptionType::kSwitch,
                                          .default_value = "false",
                                          .help = "s",
                                          .needs = {{"true", {{"accumulate", "1"}}}}}};
  EXPECT_EQ(why_contradictory(options, {{"accumulate", "3"}, {"static_graph", "false"}}), "");
  EXPECT_EQ(why_contradictory(options, {{"accumulate", "1"}, {"static_graph", "true"}}), "");
  EXPECT_EQ(why_contradictory(options, {{"accumulate", "3"}, {"static_graph", "true"}}),
            "static_graph = true needs accumulate = 1, not 3 (in a sweep, leave it out by a constraint)");
}

TEST(Vocabulary, WhatAnOptionNeedsPassesThroughTheFile) {
  auto vocabulary = sample();
  vocabulary.workloads.front().options.back().needs = {{"imagenet", {{"n", "1"}}}};
  const auto read = vocabulary_from_json(to_json(vocabulary), "x");
  EXPECT_EQ(read.workloads.front().options.back().needs, vocabulary.workloads.front().options.back().needs);
}

TEST(Vocabulary, TheWordForANumbersDefaultIsLegal) {
  const OptionEntry rate{.name = "learning_rate", .type = OptionType::kNumber, .default_value = "default", .maximum = 1};
  EXPECT_EQ(why_illegal(rate, "default"), "");
  EXPECT_EQ(why_illegal(rate, "defaults"), "must be a number");
  const OptionEntry momentum{.name = "momentum", .type = OptionType::kNumber, .default_value = "0.9", .maximum = 1};
  EXPECT_EQ(why_illegal(momentum, "default"), "must be a number");
}

}  // namespace
}  // namespace ddpbench
