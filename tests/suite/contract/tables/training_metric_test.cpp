#include "suite/contract/tables/training_metric.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(TrainingMetric, NamesWhatItIsOfAndReadsItBack) {
  const auto name = training_metric(kMetrics.training_call, {2, 13, "boundary.Mine.on_train_epoch_end"});
  EXPECT_EQ(name, "training_call_s.2.13.boundary.Mine.on_train_epoch_end");
  const auto read = training_metric_name(name, kMetrics.training_call);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->training, 2);
  EXPECT_EQ(read->epoch, 13);
  EXPECT_EQ(read->what, "boundary.Mine.on_train_epoch_end");
  EXPECT_FALSE(training_metric_name(name, kMetrics.training_part));
  for (const char* other : {"training_s", "training_s.1", "training_s.1.2", "training_s.x.2.steps", "warmup_s"})
    EXPECT_FALSE(training_metric_name(other, kMetrics.training_part)) << other;
}

}  // namespace
}  // namespace ddpbench
