#include "suite/contract/vocabulary/collectives.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> names(const std::vector<CollectiveArm>& arms) {
  std::vector<std::string> found;
  for (const auto& arm : arms) found.emplace_back(arm.name);
  return found;
}

TEST(CollectiveCases, ACaseIsReadAsItIsWritten) {
  for (const std::string text : {"all_reduce:4096", "all_gather:4", "barrier", "all_reduce:bucket_cap_mb=25",
                                 "all_reduce:bucket_cap_mb=0.5", "all_reduce:bucket_cap_mb=default", "step:bucket_cap_mb=4"}) {
    EXPECT_EQ(text_of(parse_collective_case(text)), text);
  }
}

TEST(CollectiveCases, FilledBucketsAreReadAsTheyAreWritten) {
  const std::string text = "0.0125:1048576 0.5:94083368 0.75:0";
  EXPECT_EQ(text_of(parse_filled_buckets(text)), text);
  for (const std::string wrong : {"", "0.5", "0.5:x", "-1:4", "0.5:4 "}) {
    EXPECT_THAT([&] { parse_filled_buckets(wrong); }, ThrowsMessage<UsageError>(HasSubstr("must be SECONDS:BYTES"))) << wrong;
  }
}

TEST(CollectiveCases, WhatIsNoneIsToldWithWhatIsLegal) {
  for (const std::string text :
       {"all_reduce", "all_reduce:0", "all_reduce:6", "all_reduce:x", "barrier:4", "broadcast:bucket_cap_mb=1",
        "all_reduce:bucket_cap_mb=0", "all_reduce:99999999999999", "step", "step:4"}) {
    EXPECT_THAT(
        [&] { parse_collective_case(text); },
        ThrowsMessage<UsageError>(HasSubstr("case '" + text + "': must be COLLECTIVE:BYTES (BYTES a multiple of 4), barrier")));
  }
  EXPECT_THAT([] { parse_collective_case("allreduce:4"); },
              ThrowsMessage<UsageError>(HasSubstr("unknown collective 'allreduce' (known: all_reduce, broadcast, all_gather")));
}

// "Performance reported by NCCL tests", in NVIDIA's nccl-tests.
TEST(CollectiveCases, BusBandwidthIsThatOfNcclTests) {
  EXPECT_DOUBLE_EQ(find_collective("all_reduce").bus_factor(4), 1.5);
  EXPECT_DOUBLE_EQ(find_collective("all_gather").bus_factor(4), 0.75);
  EXPECT_DOUBLE_EQ(find_collective("reduce_scatter").bus_factor(8), 0.875);
  EXPECT_DOUBLE_EQ(find_collective("all_to_all").bus_factor(4), 0.75);
  EXPECT_DOUBLE_EQ(find_collective("broadcast").bus_factor(4), 1);
}

TEST(CollectiveArms, StepsHaveComputingAloneBesideThemTwice) {
  const std::vector<std::string> gloo{"gloo"};
  EXPECT_THAT(names(collective_arms(gloo, /*with_steps=*/true)),
              ElementsAre("gloo", "gloo_again", "copy", "compute", "compute_again", "ideal"));
  EXPECT_STREQ(find_collective_arm("compute").role, collective_role::kReference);
  EXPECT_TRUE(is_backend_arm("gloo") && !is_backend_arm("gloo_again") && !is_backend_arm("compute"));
}

TEST(CollectiveArms, WhatIsMeasuredBesideABackendIsItsLibraryAndTheReferenceTwice) {
  const std::vector<std::string> both{"gloo", "mpi"}, gloo{"gloo"};
  EXPECT_THAT(names(collective_arms(both)),
              ElementsAre("mpi_nonblocking", "gloo", "mpi", "mpi_poll", "mpi_nonblocking_again", "mpi_blocking", "copy"));
  EXPECT_STREQ(collective_arms(both).front().role, collective_role::kReference);
  EXPECT_THAT(names(collective_arms(gloo)), ElementsAre("gloo", "gloo_again", "copy"));
  EXPECT_THAT([] { collective_arms(std::vector<std::string>{"ucc"}); }, ThrowsMessage<UsageError>(HasSubstr("backend 'ucc'")));
}

}  // namespace
}  // namespace ddpbench
