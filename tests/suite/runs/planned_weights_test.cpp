#include "suite/runs/planned_weights.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PlannedLaunch from_weights(const std::string& path, const std::string& stem = "cifar") {
  PlannedLaunch launch;
  launch.spec.workload = "resnet18_cifar10";
  launch.spec.options[OptionGroup::kWorkload] = {{"weights", path}, {"stem", stem}};
  return launch;
}

template <class Check>
std::vector<std::string> mistakes_of(Check check) {
  try {
    check();
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

TEST(PlannedWeights, EveryFileIsLookedAtOnce) {
  Plan plan;
  plan.launches = {from_weights("/etc"), from_weights("/etc"), from_weights("/nowhere/w.pt"), from_weights("")};
  const auto mistakes = mistakes_of([&] { check_weights_files(plan); });
  EXPECT_THAT(mistakes, ElementsAre("weights /etc: is not a regular file", "weights /nowhere/w.pt: missing"));
  for (auto& launch : plan.launches) launch.skip_reason = "not here";
  EXPECT_THAT(mistakes_of([&] { check_weights_files(plan); }), IsEmpty());
}

TEST(PlannedWeights, ANewHeadHasWeightsForTheOthers) {
  Plan plan;
  plan.launches = {from_weights(""), from_weights("")};
  for (auto& launch : plan.launches) launch.spec.options[OptionGroup::kWorkload]["weights_head"] = "new";
  EXPECT_THAT(mistakes_of([&] { check_weights_files(plan); }),
              ElementsAre("weights_head = \"new\" needs weights: name the file of the other layers"));
}

TEST(PlannedWeights, TheWorkerIsAskedOnceForEachModelWhetherTheyFit) {
  const test::ScriptFolder folder;
  const auto worker =
      folder.script("worker",
                    "echo \"$1\" >> $0.asked\n"
                    "case \"$*\" in *stem=imagenet*) echo 'ddpbench-worker: weights w.pt do not fit' >&2; exit 2;; esac");
  Plan plan;
  plan.launches = {from_weights("w.pt"), from_weights("w.pt"), from_weights("w.pt", "imagenet"), from_weights("")};
  const auto mistakes = mistakes_of([&] { check_weights_fit(plan, {worker, folder.path()}); });
  EXPECT_THAT(mistakes, ElementsAre("weights w.pt do not fit"));
  EXPECT_EQ(folder.read("worker.asked"), "--check\n--check\n");
}

TEST(PlannedWeights, AWorkerThatCannotSayIsNoAnswer) {
  const test::ScriptFolder folder;
  Plan plan;
  plan.launches = {from_weights("w.pt")};
  const auto mistakes = mistakes_of([&] { check_weights_fit(plan, {folder.script("worker", "exit 9"), folder.path()}); });
  EXPECT_THAT(mistakes, ElementsAre(HasSubstr("ended with exit code 9")));
}

}  // namespace
}  // namespace ddpbench
