#include "workloads/data/cifar_cursor.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "suite/vocab/errors.hpp"
#include "workloads/formats/cifar_files.hpp"
#include "workloads/formats/generate.hpp"

namespace ddpbench {
namespace {

class CifarCursorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = generate_cifar(find_cifar_layout("cifar10"), testing::TempDir() + "cifar_cursor_test", 1);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(testing::TempDir() + "cifar_cursor_test"); }

  static std::unique_ptr<BatchCursor> cursor(std::int64_t batch, std::int64_t rank, std::int64_t world) {
    return make_cifar_cursor({{{"data", "cifar"}}, batch, rank, world, 3, folder_}, "cifar10");
  }
  static std::string folder_;
};
std::string CifarCursorTest::folder_;

TEST_F(CifarCursorTest, NormalisesThePixelsOfTheFile) {
  const auto one = cursor(50'000, 0, 1);
  const auto batch = one->next();
  EXPECT_EQ(batch.input.sizes(), (std::vector<std::int64_t>{50'000, 3, 32, 32}));
  const CifarImages images(find_cifar_layout("cifar10"), folder_, Split::kTrain);
  double sum = 0;
  for (std::int64_t i = 0; i < images.size(); ++i) sum += images.label(i);
  EXPECT_EQ(batch.target.sum().item<std::int64_t>(), static_cast<std::int64_t>(sum));  // every image once
  const auto smallest = batch.input.amin({0, 2, 3}), largest = batch.input.amax({0, 2, 3});
  for (int channel = 0; channel < 3; ++channel) {  // 0 … 255 lies inside (0 - mean) / deviation … (1 - mean) / deviation
    EXPECT_GE(smallest[channel].item<float>(), -2.0F);
    EXPECT_LE(largest[channel].item<float>(), 2.2F);
  }
}

TEST_F(CifarCursorTest, RanksShareAnEpochWithoutOverlap) {
  const auto first = cursor(25'000, 0, 2)->next(), second = cursor(25'000, 1, 2)->next();
  EXPECT_FALSE(torch::equal(first.input, second.input));
  const auto whole = cursor(50'000, 0, 1)->next();
  EXPECT_EQ(first.target.sum().item<std::int64_t>() + second.target.sum().item<std::int64_t>(),
            whole.target.sum().item<std::int64_t>());
}

TEST_F(CifarCursorTest, ShufflesAnewEachEpochAndReplaysAfterSeek) {
  const auto batches = cursor(25'000, 0, 1);
  EXPECT_EQ(batches->batches_per_epoch(), 2);
  const auto first = batches->next();
  batches->next();
  const auto next_epoch = batches->next();
  EXPECT_FALSE(torch::equal(first.target, next_epoch.target));
  batches->seek(0);
  EXPECT_TRUE(torch::equal(batches->next().input, first.input));
}

TEST_F(CifarCursorTest, ABatchLargerThanTheSetIsTheCallersMistake) {
  try {
    cursor(30'000, 0, 2);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("30000"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ddpbench
