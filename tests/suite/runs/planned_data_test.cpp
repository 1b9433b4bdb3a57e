#include "suite/runs/planned_data.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using ::testing::IsEmpty;

PlannedLaunch reading(const std::string& dataset) {
  PlannedLaunch launch;
  launch.dataset = dataset;
  return launch;
}

TEST(PlannedData, LooksForNothingThatNoLaunchReads) {
  Plan plan;
  plan.launches = {reading("cifar10"), reading("")};
  plan.launches.front().skip_reason = "not possible here";
  EXPECT_THAT(planned_data(plan, "/nonexistent"), IsEmpty());
}

TEST(PlannedData, RefusesAFolderWithoutTheData) {
  Plan plan;
  plan.launches = {reading("cifar10")};
  EXPECT_THROW(planned_data(plan, "/nonexistent"), UsageError);
}

TEST(PlannedData, RefusesABatchLargerThanARanksImagesOnceForAllLaunches) {
  Plan plan;
  auto launch = reading("cifar10");
  launch.spec.ranks_per_node = 3;
  launch.spec.batch_size_per_rank = 16'668;
  plan.launches = {launch, launch};
  try {
    planned_data(plan, "/nonexistent");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    ASSERT_EQ(error.messages().size(), 1U);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("16668: must be at most 16667 (50000 images for 3 ranks)"));
  }
}

TEST(PlannedData, NamesEveryOrigin) {
  EXPECT_EQ(describe_origins({{"cifar10", {"/a", "from --data: /a"}}, {"cifar100", {"/b", "generated"}}}, false),
            "cifar10: from --data: /a; cifar100: generated");
  EXPECT_EQ(describe_origins({}, false), "none is read");
  EXPECT_EQ(describe_origins({}, true), "modules of [modules]: as their own loaders read");
}

}  // namespace
}  // namespace ddpbench
