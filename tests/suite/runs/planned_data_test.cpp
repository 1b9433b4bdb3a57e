#include "suite/runs/planned_data.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using ::testing::IsEmpty;

LaunchSpec reading(const std::string& workload, const std::string& data) {
  LaunchSpec spec;
  spec.workload = workload;
  spec.options[Holder::kWorkload] = {{"data", data}};
  return spec;
}

TEST(PlannedData, KnowsTheDataSetOfAWorkload) {
  EXPECT_EQ(dataset_of(reading("resnet50_cifar10", "cifar")), "cifar10");
  EXPECT_EQ(dataset_of(reading("resnet50_cifar100", "cifar")), "cifar100");
  EXPECT_EQ(dataset_of(reading("null", "cifar")), "cifar10");
  EXPECT_EQ(dataset_of(reading("resnet50_cifar10", "constant")), "");
  EXPECT_EQ(dataset_of(LaunchSpec{}), "");
}

TEST(PlannedData, LooksForNothingThatNoLaunchReads) {
  Plan plan;
  plan.launches.push_back({reading("resnet50_cifar10", "cifar"), "", "not possible here"});
  plan.launches.push_back({reading("null", "constant"), "", ""});
  EXPECT_THAT(planned_data(plan, "/nonexistent"), IsEmpty());
}

TEST(PlannedData, RefusesAFolderWithoutTheData) {
  Plan plan;
  plan.launches.push_back({reading("resnet50_cifar10", "cifar"), "", ""});
  EXPECT_THROW(planned_data(plan, "/nonexistent"), UsageError);
}

TEST(PlannedData, RefusesABatchLargerThanARanksImagesOnceForAllLaunches) {
  Plan plan;
  auto spec = reading("resnet50_cifar10", "cifar");
  spec.ranks_per_node = 3;
  spec.batch_size_per_rank = 16'668;
  plan.launches = {{spec, "", ""}, {spec, "", ""}};
  try {
    planned_data(plan, "/nonexistent");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    ASSERT_EQ(error.messages().size(), 1U);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("16668 is more than the 16667 images that each of 3 ranks gets"));
  }
}

TEST(PlannedData, NamesEveryOrigin) {
  EXPECT_EQ(describe_origins({{"cifar10", {"/a", "from --data: /a"}}, {"cifar100", {"/b", "generated"}}}),
            "cifar10: from --data: /a; cifar100: generated");
  EXPECT_EQ(describe_origins({}), "none is read");
}

}  // namespace
}  // namespace ddpbench
