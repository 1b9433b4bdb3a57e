#include <gtest/gtest.h>

#include "harness/api/workload.hpp"
#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

Recipe recipe_of_rank(std::int64_t rank, const std::string& data = "generated") {
  const auto& entry = find_entry(workloads(), "workload", "transformer_lm");
  auto options = default_values(entry.options);
  options["data"] = data;
  options["sequence_length"] = "12";
  torch::manual_seed(1);
  WorkloadRequest request;
  request.options = options;
  request.batch_size_per_rank = 3;
  request.rank = rank;
  request.world_size = 2;
  return entry.recipe(request);
}

TEST(Transformer, ATargetIsTheTokenThatFollows) {
  const auto batch = recipe_of_rank(0).batches->next();
  EXPECT_EQ(batch.input.sizes(), (std::vector<std::int64_t>{3, 12}));
  EXPECT_TRUE(torch::equal(batch.input.narrow(1, 1, 11), batch.target.view({3, 12}).narrow(1, 0, 11)));
}

TEST(Transformer, BatchesDifferByRankAndPositionAlone) {
  const auto mine = recipe_of_rank(0), other = recipe_of_rank(1), constant = recipe_of_rank(0, "constant");
  const auto first = mine.batches->next().input;
  EXPECT_FALSE(torch::equal(first, other.batches->next().input));
  EXPECT_FALSE(torch::equal(first, mine.batches->next().input));
  EXPECT_TRUE(torch::equal(constant.batches->next().input, constant.batches->next().input));
  mine.batches->seek(0);
  EXPECT_TRUE(torch::equal(first, mine.batches->next().input));
}

TEST(Transformer, APlaceSeesNoLaterToken) {
  const auto recipe = recipe_of_rank(0);
  const torch::NoGradGuard no_grad;
  auto tokens = recipe.batches->next().input;
  const auto before = recipe.model->forward(tokens).view({3, 12, 256});
  tokens.select(1, 7).add_(1).remainder_(256);
  const auto after = recipe.model->forward(tokens).view({3, 12, 256});
  EXPECT_TRUE(torch::equal(before.narrow(1, 0, 7), after.narrow(1, 0, 7)));
  EXPECT_FALSE(torch::equal(before.select(1, 7), after.select(1, 7)));
}

}  // namespace
}  // namespace ddpbench
