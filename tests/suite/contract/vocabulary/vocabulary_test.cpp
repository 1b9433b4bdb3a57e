#include "suite/contract/vocabulary/vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"

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
  VocabularyEntry workload;
  workload.name = "null";
  workload.help = "one layer";
  workload.options = {
      batch_option(),
      {.name = "stem", .type = OptionType::kText, .default_value = "cifar", .legal = {"cifar", "imagenet"}, .help = "s"}};
  workload.dataset = "cifar10";
  vocabulary.workloads = {workload};
  VocabularyEntry backend;
  backend.name = "mpi";
  backend.built = false;
  backend.why_not_built = "no MPI";
  backend.max_world_size = 4;
  backend.least_sm = 80;
  backend.device = "cpu";
  backend.is_ring = true;
  vocabulary.backends = {backend};
  VocabularyEntry arm;
  arm.name = "trainer";
  arm.features = {"loops"};
  arm.takes = {"log"};
  arm.reference = "raw";
  arm.program = "python";
  arm.excludes_cells = {{{{"device", "cpu"}, {"precision", "amp_fp16"}}, "no fp16 there"}};
  arm.is_wrapper = true;
  arm.requires_features = {"loops"};
  vocabulary.arms = {arm};
  VocabularyEntry feature;
  feature.name = "log";
  feature.value = batch_option();
  feature.excludes_features = {"bar"};
  feature.makes = ArmRole::kProbe;
  feature.without_makes = ArmRole::kSubject;
  feature.clocks = {"device"};
  feature.is_ideal_network = true;
  feature.equality = Equality::kLossy;
  VocabularyEntry bundle;
  bundle.name = "typical";
  bundle.bundle = {"log=3"};
  vocabulary.features = {feature, bundle};
  VocabularyEntry precision;
  precision.name = "tf32";
  precision.only = {{"device", {"cuda"}}};
  vocabulary.precisions = {precision};
  VocabularyEntry metric;
  metric.name = "peak_memory_mib";
  metric.unit = "MiB";
  vocabulary.metrics = {metric};
  return vocabulary;
}

TEST(Vocabulary, ReadsBackWhatItWrote) {
  const auto json = to_json(sample());
  const auto again = vocabulary_from_json(json, "vocabulary.json");
  EXPECT_EQ(to_json(again), json);
  EXPECT_EQ(again.workloads[0].options[1].legal.size(), 2U);
  EXPECT_EQ(again.workloads[0].dataset, "cifar10");
  EXPECT_FALSE(again.backends[0].built);
  EXPECT_EQ(again.backends[0].max_world_size, 4);
  EXPECT_EQ(again.backends[0].least_sm, 80);
  EXPECT_EQ(again.backends[0].device, "cpu");
  EXPECT_TRUE(again.backends[0].is_ring);
  EXPECT_EQ(again.precisions[0].only, sample().precisions[0].only);
  EXPECT_EQ(again.arms[0].takes, sample().arms[0].takes);
  EXPECT_EQ(again.arms[0].role, ArmRole::kSubject);
  EXPECT_EQ(again.arms[0].reference + again.arms[0].program, "rawpython");
  EXPECT_EQ(again.arms[0].excludes_cells, sample().arms[0].excludes_cells);
  EXPECT_TRUE(again.arms[0].is_wrapper);
  EXPECT_EQ(again.arms[0].requires_features, sample().arms[0].requires_features);
  EXPECT_EQ(again.features[0].value->maximum, 64);
  EXPECT_EQ(again.features[0].makes, ArmRole::kProbe);
  EXPECT_EQ(again.features[0].without_makes, ArmRole::kSubject);
  EXPECT_TRUE(again.features[0].is_ideal_network);
  EXPECT_EQ(again.features[0].equality, Equality::kLossy);
  EXPECT_EQ(again.features[1].bundle, sample().features[1].bundle);
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
