#include "suite/contract/processes/outcome.hpp"

#include <gtest/gtest.h>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

TEST(Outcome, ReadsBackWhatARankWrote) {
  const ScratchFolder scratch;
  write_outcome(scratch.path(), 3,
                {"wrong_result",
                 "losses \"differ\"\n",
                 {{"trainer", {"wrong_result", "step 2"}}},
                 "node1",
                 {{"cores", "2"}},
                 {{"trainer", "torch=2"}}});
  const auto outcome = read_outcome(scratch.path(), 3);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->status, "wrong_result");
  EXPECT_EQ(outcome->reason, "losses \"differ\"\n");
  EXPECT_EQ(outcome->arms.at("trainer").second, "step 2");
  EXPECT_EQ(outcome->host, "node1");
  EXPECT_EQ(outcome->facts.at("cores"), "2");
  EXPECT_EQ(outcome->versions.at("trainer"), "torch=2");
}

TEST(Outcome, ARankThatDiedLeftNone) {
  const ScratchFolder scratch;
  EXPECT_FALSE(read_outcome(scratch.path(), 0).has_value());
}

TEST(Outcome, BytesThatAreNoUtf8DoNotLoseIt) {
  const ScratchFolder scratch;
  write_outcome(scratch.path(), 0, {"failed", "cannot read \xff", {}, "h"});
  EXPECT_EQ(read_outcome(scratch.path(), 0)->status, "failed");
}

TEST(Outcome, DamageIsAnErrorThatNamesTheFile) {
  const ScratchFolder scratch;
  replace_file(scratch / "outcome.0.json", "{\"status\": 1}");
  EXPECT_THROW(read_outcome(scratch.path(), 0), Error);
}

}  // namespace
}  // namespace ddpbench
