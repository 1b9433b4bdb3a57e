#include <gmock/gmock.h>

#include <filesystem>

#include "suite/base/durable_file.hpp"
#include "suite/formats/data_set.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : workloads()) all.push_back(entry.name);
  return all;
}

// Every workload of the table: listed is tested.
class WorkloadConformance : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Table, WorkloadConformance, testing::ValuesIn(names()),
                         [](const auto& workload) { return workload.param; });

TEST_P(WorkloadConformance, MakesLogitsForItsClasses) {
  const auto training = tiny_training(GetParam(), "single", nullptr, RankInfo{}, 3);
  const auto batch = training->recipe.batches->next();
  const auto logits = training->recipe.model->forward(batch.input);
  EXPECT_EQ(logits.size(0), batch.target.size(0));
  EXPECT_EQ(logits.size(1), training->recipe.classes);
  EXPECT_EQ(training->recipe.loss(logits, batch.target).dim(), 0);
  EXPECT_EQ(batch.target.scalar_type(), at::kLong);
  const auto& entry = find_entry(workloads(), "workload", GetParam());
  if (entry.dataset.empty()) return;
  const auto& set = find_data_set(entry.dataset);
  EXPECT_EQ(logits.sizes(), (std::vector<std::int64_t>{3, set.classes()}));
  EXPECT_EQ(batch.input.sizes(), (std::vector<std::int64_t>{3, set.image.channels, set.image.height, set.image.width}));
}

TEST_P(WorkloadConformance, HasATwinInPython) {
  const auto network = tiny_training(GetParam(), "single", nullptr, RankInfo{})->recipe.network;
  const auto root = std::filesystem::path(__FILE__).parent_path() / "../..";
  EXPECT_THAT(read_file((root / "harness/python/ddpbench_arms/models.py").string()),
              testing::HasSubstr("\n    \"" + network + "\": "));
}

TEST_P(WorkloadConformance, LearnsItsConstantBatch) {
  const auto training = tiny_training(GetParam(), "single", nullptr, RankInfo{}, 4);
  const auto arm = std::move(training->make_arms({"raw"}).front().arm);
  const auto first = arm->step().item<float>();
  float last = first;
  for (int i = 0; i < 12; ++i) last = arm->step().item<float>();
  EXPECT_LT(last, first);
}

TEST_P(WorkloadConformance, IsTheSameFromTheSameSeed) {
  const auto weights = [&] {
    return tiny_training(GetParam(), "single", nullptr, RankInfo{})->recipe.model->parameters().front().clone();
  };
  EXPECT_TRUE(torch::equal(weights(), weights()));
}

TEST_P(WorkloadConformance, SeeksItsBatches) {
  const auto training = tiny_training(GetParam(), "single", nullptr, RankInfo{});
  auto& batches = *training->recipe.batches;
  const auto position = batches.position();
  const auto drawn = batches.next();
  batches.seek(position);
  const auto again = batches.next();
  EXPECT_TRUE(torch::equal(drawn.input, again.input));
  EXPECT_TRUE(torch::equal(drawn.target, again.target));
  EXPECT_GT(batches.batches_per_epoch(), 0);
}

}  // namespace
}  // namespace ddpbench
