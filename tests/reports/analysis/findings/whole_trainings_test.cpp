#include "reports/analysis/findings/whole_trainings.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kEpochs = 3;

// What an arm takes beyond the reference: in a checkpoint, between epochs (growing), before the first batch.
struct Planted {
  double checkpoint_s = 0, boundary_s = 0, boundary_growth_s = 0, head_s = 0;
};

class WholeTrainings : public AnalysedRun {
 protected:
  // A training of the arm; `noise_s` is all that launches differ by.
  static void train(SyntheticLaunch& launch, const std::string& arm, const Planted& planted, double noise_s) {
    const auto add = [&](int epoch, const std::string& what, double value) {
      launch.metrics[{arm, "training_s.1." + std::to_string(epoch) + "." + what}] = value;
    };
    double passed = 1 + planted.head_s + noise_s;
    for (int epoch = 1; epoch <= kEpochs; ++epoch) {
      add(epoch, "steps", epoch == 1 ? 12 : 10 + noise_s);
      add(epoch, "validation", 2);
      add(epoch, "metric", 0.5);
      passed += (epoch == 1 ? 12 : 10 + noise_s) + 2.5;
      add(epoch, "validated", passed);
      passed += 0.11 + planted.checkpoint_s + planted.boundary_s + planted.boundary_growth_s * epoch + 2 * noise_s;
      add(epoch, "checkpoint", 0.1 + planted.checkpoint_s + noise_s);
      add(epoch, epoch < kEpochs ? "boundary" : "tail", 0.01 + planted.boundary_s + planted.boundary_growth_s * epoch + noise_s);
      launch.metrics[{arm, "training_value.1." + std::to_string(epoch) + ".samples"}] = 1000;
      launch.metrics[{arm, "training_value.1." + std::to_string(epoch) + ".validation_accuracy"}] = 0.3 * epoch;
      launch.metrics[{arm, "training_value.1." + std::to_string(epoch) + ".test_accuracy"}] = 0.25 * epoch;
    }
    add(1, "head", 1 + planted.head_s + noise_s);
    add(kEpochs, "test", 2);
  }

  void analyse_trainings(const Planted& planted, std::int64_t launches = 5, const std::string& call = "") {
    analyse_launches(trainings(planted, launches, call), protocol_);
  }

  static std::vector<SyntheticLaunch> trainings(const Planted& planted, std::int64_t launches = 5, const std::string& call = "") {
    std::vector<SyntheticLaunch> all;
    for (std::int64_t number = 0; number < launches; ++number) {
      SyntheticLaunch launch;
      launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}, {"injected", 100}};
      launch.launch_id = "L000" + std::to_string(number + 1);
      launch.repetition = number;
      train(launch, "raw", {}, 0);
      train(launch, "raw_again", {}, 1e-6 * static_cast<double>(number % 3 - 1));
      train(launch, "injected", {}, 0);
      for (int epoch = 1; epoch <= kEpochs; ++epoch)
        launch.metrics[{"injected", "training_s.1." + std::to_string(epoch) + ".steps"}] += 0.00625;
      train(launch, "trainer", planted, 1e-4 * static_cast<double>(number % 3 - 1));
      if (!call.empty()) launch.metrics[{"trainer", "training_call_s.1.1.boundary." + call}] = planted.boundary_s;
      all.push_back(launch);
    }
    return all;
  }

  std::string sentences() const {
    std::string text;
    const auto json = nlohmann::json::parse(read_file(path_ + "/tables/summary.json"));
    for (const auto& sentence : json.at("whole_trainings")) text += sentence.get<std::string>() + "\n";
    return text;
  }
  std::string protocol_;
  std::string table() const { return read_file(path_ + "/tables/whole_trainings.csv"); }
};

TEST_F(WholeTrainings, APlantedCostIsFoundInItsPartAndNamed) {
  analyse_trainings({.checkpoint_s = 0.05});
  EXPECT_THAT(sentences(), HasSubstr("3 epochs, 5 launches: an epoch takes 13 s by raw"));
  EXPECT_THAT(sentences(),
              HasSubstr("at the end the network is right about 90.0 % of the validation images and 75.0 % of the test images"));
  EXPECT_THAT(sentences(), HasSubstr("With trainer an epoch differs by +49.9 ms"));
  EXPECT_THAT(sentences(), HasSubstr("]: checkpoint +50.0 ms"));
  for (const char* other : {"steps +", "validation +", "boundary +", "head +", "from epoch to epoch"})
    EXPECT_THAT(sentences(), Not(HasSubstr(other)));
}

TEST_F(WholeTrainings, ACostThatGrowsWithTheEpochIsSaidToGrow) {
  analyse_trainings({.boundary_growth_s = 0.005});
  EXPECT_THAT(sentences(), HasSubstr("what it adds to boundary changes from epoch to epoch by +5.0 ms"));
  EXPECT_THAT(sentences(), HasSubstr("boundary +7.5 ms"));
  EXPECT_THAT(sentences(), HasSubstr("an epoch differs by +7.4 ms"))
      << "no less for the last epoch, which has a tail in its place";
  EXPECT_THAT(table(), HasSubstr(",trainer,raw,epoch,,0,")) << table();
  EXPECT_THAT(table().substr(table().find(",trainer,raw,epoch,")),
              testing::MatchesRegex(",trainer,raw,epoch,,0,[^,]+,[^,]+,[^,]+,[^,]+,,,,(.|\n)*"))
      << "growth is told of parts";
}

TEST_F(WholeTrainings, ACallThatTakesAPartsTimeIsNamedWithIt) {
  analyse_trainings({.boundary_s = 0.2}, 5, "Sleeper.on_train_epoch_end");
  EXPECT_THAT(sentences(), HasSubstr("of the boundary Sleeper.on_train_epoch_end takes +100 ms"));
  EXPECT_THAT(table(), HasSubstr(",boundary,Sleeper.on_train_epoch_end,0,100,"));
}

TEST_F(WholeTrainings, ControlsAreToldToo) {
  analyse_trainings({});
  EXPECT_THAT(sentences(), HasSubstr("The same training twice (raw_again): an epoch differs by -0.53 us [-3.3, +2.2]"));
  EXPECT_THAT(sentences(),
              HasSubstr("A delay of 100 us behind each of 62.5 steps, 6.2 ms an epoch, was found in its steps as +6.2"));
}

TEST_F(WholeTrainings, AControlThatIsNotSureIsNotSaidToBeFound) {
  analyse_trainings({}, 1);
  EXPECT_THAT(sentences(), HasSubstr("6.2 ms an epoch, is not found: its steps differ by +6.2"));
}

TEST_F(WholeTrainings, WhatTheCostPerStepExplainsIsTold) {
  analyse_trainings({.checkpoint_s = 0.05});
  // 5 us a step, 62.5 of them: 1,000 samples, 16 a step.
  const auto results = read_file(path_ + "/tables/whole_training_results.csv");
  EXPECT_THAT(results, HasSubstr("C1,trainer,raw,"));
  EXPECT_THAT(sentences(), HasSubstr("; the cost per step that was timed makes +313 us"));
}

TEST_F(WholeTrainings, WhatIsThereOnceIsToldApart) {
  analyse_trainings({.head_s = 0.9});
  EXPECT_THAT(sentences(), HasSubstr("once in a training: head +900 ms"));
}

TEST_F(WholeTrainings, TimeToAnAccuracyEndsWithTheValidationThatShowsIt) {
  protocol_ = "target_accuracy = 0.6\n";  // the second epoch's
  analyse_trainings({.checkpoint_s = 0.05, .boundary_growth_s = 0.005, .head_s = 0.1});
  // 1 head, 12 + 10 steps, 2 × 2.5 validation, and of the first epoch alone 0.1 checkpoint and 0.01 boundary.
  EXPECT_THAT(table(), HasSubstr("C1,raw,raw,to_accuracy,,1,28110,"));
  EXPECT_THAT(sentences(), HasSubstr("by raw; it takes 28 s until 60.0 % of the validation images are right; at the end the"));
  EXPECT_THAT(sentences(), HasSubstr("; the time until 60.0 % of the validation images are right differs by +155 ms ["));
}

TEST_F(WholeTrainings, AnAccuracyThatNoEpochReachesHasNoTime) {
  protocol_ = "target_accuracy = 0.95\n";
  analyse_trainings({});
  EXPECT_THAT(table(), Not(HasSubstr("to_accuracy")));
  EXPECT_THAT(sentences(),
              HasSubstr("by raw; in no launch does every training get so far that 95.0 % of the validation images are right"));
  EXPECT_THAT(sentences(), Not(HasSubstr("the time until")));
}

TEST_F(WholeTrainings, AnAccuracyInSinglePrecisionIsReachedAsWell) {
  protocol_ = "target_accuracy = 0.6\n";
  auto launches = trainings({});
  for (auto& launch : launches) launch.metrics[{"trainer", "training_value.1.2.validation_accuracy"}] = 0.6F - 6e-8F;
  analyse_launches(launches, protocol_);
  EXPECT_THAT(sentences(), HasSubstr("right differs by -80 us")) << "not an epoch more";
  EXPECT_THAT(table(), HasSubstr("C1,trainer,raw,to_accuracy,,1,28109.9"));
}

TEST_F(WholeTrainings, LaunchesThatDoNotReachTheAccuracyAreLeftOut) {
  protocol_ = "target_accuracy = 0.6\n";
  auto launches = trainings({});
  for (const char* arm : {"raw", "trainer"}) {  // a second training of the first launch gets less far
    for (const char* what : {".1.validation_accuracy", ".2.validation_accuracy", ".3.validation_accuracy"})
      launches[0].metrics[{arm, std::string("training_value.2") + what}] = 0.5;
    launches[0].metrics[{arm, "training_s.2.1.validated"}] = 15.5;
  }
  launches[1].metrics[{"trainer", "training_value.1.2.validation_accuracy"}] = 0.5;  // an epoch later
  launches[2].metrics[{"trainer", "training_value.1.2.validation_accuracy"}] = 0.5;
  launches[2].metrics[{"trainer", "training_value.1.3.validation_accuracy"}] = 0.5;  // never
  analyse_launches(launches, protocol_);
  EXPECT_THAT(sentences(),
              HasSubstr("by raw; it takes 28 s until 60.0 % of the validation images are right, in 4 of 5 launches; at"));
  EXPECT_THAT(sentences(), HasSubstr("the time until 60.0 % of the validation images are right differs by +4203 ms ["));
  EXPECT_THAT(sentences(), HasSubstr("], in 3 of 5 launches, which may be chance"));
}

TEST_F(WholeTrainings, NothingIsSaidToBeSureThatIsNot) {
  analyse_trainings({});
  EXPECT_THAT(sentences(), HasSubstr(", which may be chance"));
  analyse_trainings({.checkpoint_s = 0.05}, 1);
  EXPECT_THAT(sentences(), HasSubstr("+50 ms, which may be chance")) << "one launch bears no interval";
}

TEST_F(WholeTrainings, WithoutTrainingsThereIsNothing) {
  analyse_launches({SyntheticLaunch{}});
  EXPECT_THAT(sentences(), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
