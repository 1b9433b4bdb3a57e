#include "suite/purposes/collectives/collective_plan.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

CollectivePlan planned_collectives(const CollectivesRequest& request, std::int64_t nodes = 1) {
  Availability availability;
  availability.max_nodes = nodes;
  return plan_collectives(request, test::test_vocabulary(), availability, nodes);
}

CollectivesRequest of_gloo() {
  CollectivesRequest request;
  request.backends = "gloo";
  request.collectives = "all_reduce";
  request.most_bytes = 64;
  return request;
}

TEST(CollectivePlan, SizesGrowByTheFactorAndTheLargestIsAmongThem) {
  auto request = of_gloo();
  request.most_bytes = 100;
  request.collectives = "all_reduce,barrier";
  EXPECT_THAT(planned_collectives(request).launches.front().cases,
              ElementsAre("all_reduce:4", "all_reduce:16", "all_reduce:64", "all_reduce:100", "barrier"));
}

TEST(CollectivePlan, AWordThatStandsTwiceIsAMistake) {
  EXPECT_EQ(parse_list("gloo,,mpi"), (std::vector<std::string>{"gloo", "mpi"}));
  EXPECT_THROW(parse_list("gloo,mpi,gloo"), UsageError);
}

TEST(CollectivePlan, ALaunchForEachRepetitionAndNumberOfRanks) {
  auto request = of_gloo();
  request.ranks_per_node = "1,2";
  request.launches = 2;
  std::vector<std::string> ids;
  for (const auto& launch : planned_collectives(request).launches) ids.push_back(launch.launch_id);
  EXPECT_THAT(ids, ElementsAre("collectives-n1-r1-0", "collectives-n1-r2-0", "collectives-n1-r1-1", "collectives-n1-r2-1"));
}

TEST(CollectivePlan, AModelsBucketsComeFirstAndDdpsOwnAreAmongTheUsual) {
  auto request = of_gloo();
  request.collectives = "none";
  request.workload = "resnet50_cifar10";
  EXPECT_THAT(planned_collectives(request).launches.front().cases,
              ElementsAre("all_reduce:bucket_cap_mb=1", "all_reduce:bucket_cap_mb=4", "all_reduce:bucket_cap_mb=25",
                          "all_reduce:bucket_cap_mb=default"));
}

TEST(CollectivePlan, WithABatchSizeEachBucketSizeIsMeasuredWithinAStepToo) {
  auto request = of_gloo();
  request.collectives = "none";
  request.workload = "resnet50_cifar10";
  request.bucket_caps = "1,25";
  request.batch_size = 8;
  const auto plan = planned_collectives(request);
  const auto& launch = plan.launches.front();
  EXPECT_THAT(launch.cases, ElementsAre("all_reduce:bucket_cap_mb=1", "all_reduce:bucket_cap_mb=25", "step:bucket_cap_mb=1",
                                        "step:bucket_cap_mb=25"));
  EXPECT_EQ(launch.batch_size_per_rank, 8);
  EXPECT_THAT(launch.arms, Contains("compute"));
  EXPECT_THAT(experiment_text(plan), HasSubstr("batch_size_per_rank = [8]"));
}

TEST(CollectivePlan, TimeGoesByTheNumberOfCasesAndACheckTakesTheLeast) {
  auto request = of_gloo();
  EXPECT_EQ(planned_collectives(request).launches.front().protocol.max_seconds_per_launch, 6) << "4, 16 and 64 bytes";
  request.only_checks = true;
  EXPECT_EQ(planned_collectives(request).launches.front().protocol.max_seconds_per_launch, kFewestCollectiveSeconds);
}

TEST(CollectivePlan, WhatTheMachineLacksIsSkippedWithItsReason) {
  auto request = of_gloo();
  request.backends = "gloo,nccl";
  request.nodes = "1,2";
  const auto plan = planned_collectives(request);
  EXPECT_THAT(plan.launches, SizeIs(1));
  EXPECT_THAT(plan.skips,
              ElementsAre(HasSubstr("backend nccl: backend 'nccl' is not built"), HasSubstr("collectives-n2-r2-0: ")));
}

TEST(CollectivePlan, WithoutAnyBackendNothingIsPlanned) {
  auto request = of_gloo();
  request.backends = "nccl";
  EXPECT_THAT(planned_collectives(request).launches, IsEmpty());
}

TEST(CollectivePlan, AMistakeIsToldWithTheOption) {
  auto request = of_gloo();
  request.ranks_per_node = ",";
  EXPECT_THAT([&] { planned_collectives(request); }, ThrowsMessage<UsageError>(HasSubstr("--ranks-per-node is empty")));
}

}  // namespace
}  // namespace ddpbench
