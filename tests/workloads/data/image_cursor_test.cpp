#include "workloads/data/image_cursor.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/image_files.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

bool same(const Batch& a, const Batch& b) { return torch::equal(a.input, b.input) && torch::equal(a.target, b.target); }

const DataSet& cifar10() { return find_data_set("cifar10"); }

Batch copy_of(const Batch& batch) { return {batch.input.clone(), batch.target.clone()}; }

class ImageCursorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = std::make_unique<ScratchFolder>();
    folder_ = generate_data(cifar10(), scratch_->path(), 1);
  }
  static void TearDownTestSuite() { scratch_.reset(); }

  static std::unique_ptr<BatchCursor> cursor(std::int64_t batch, std::int64_t rank, std::int64_t world,
                                             const DataOptions& options = {}) {
    return make_image_cursor({{}, batch, rank, world, 3, folder_}, cifar10(), options);
  }
  static std::unique_ptr<ScratchFolder> scratch_;
  static std::string folder_;
};
std::unique_ptr<ScratchFolder> ImageCursorTest::scratch_;
std::string ImageCursorTest::folder_;

TEST_F(ImageCursorTest, NormalisesThePixelsOfTheFile) {
  const auto one = cursor(50'000, 0, 1);
  const auto batch = one->next();
  EXPECT_EQ(batch.input.sizes(), (std::vector<std::int64_t>{50'000, 3, 32, 32}));
  const ImageFiles images(cifar10(), folder_, Split::kTrain);
  ImageRecord record{};
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < images.size(); ++i) sum += images.read(i, record).label;
  EXPECT_EQ(batch.target.sum().item<std::int64_t>(), sum);  // every image once
  const auto smallest = batch.input.amin({0, 2, 3}), largest = batch.input.amax({0, 2, 3});
  for (int channel = 0; channel < 3; ++channel) {  // 0 … 255 lies inside (0 - mean) / deviation … (1 - mean) / deviation
    EXPECT_GE(smallest[channel].item<float>(), -2.0F);
    EXPECT_LE(largest[channel].item<float>(), 2.2F);
  }
}

TEST_F(ImageCursorTest, RanksShareAnEpochWithoutOverlap) {
  const auto first = cursor(25'000, 0, 2)->next(), second = cursor(25'000, 1, 2)->next();
  EXPECT_FALSE(torch::equal(first.input, second.input));
  const auto whole = cursor(50'000, 0, 1)->next();
  EXPECT_EQ(first.target.sum().item<std::int64_t>() + second.target.sum().item<std::int64_t>(),
            whole.target.sum().item<std::int64_t>());
}

TEST_F(ImageCursorTest, ShufflesAnewEachEpochAndReplaysAfterSeek) {
  const auto batches = cursor(25'000, 0, 1);
  EXPECT_EQ(batches->batches_per_epoch(), 2);
  const auto first = batches->next();
  batches->next();
  const auto next_epoch = batches->next();
  EXPECT_FALSE(torch::equal(first.target, next_epoch.target));
  batches->seek(0);
  EXPECT_TRUE(torch::equal(batches->next().input, first.input));
}

TEST_F(ImageCursorTest, IsTheSameWhoeverMakesItsBatches) {
  for (const bool augment : {false, true}) {
    for (const bool channels_last : {false, true}) {
      DataOptions options{.channels_last = channels_last, .augment = augment, .keep_last = true};
      const auto alone = cursor(90, 1, 25, options);
      options.workers = 2;
      const auto ahead = cursor(90, 1, 25, options);
      options.workers = 0;
      options.resident = Resident::kHost;
      const auto in_memory = cursor(90, 1, 25, options);
      options.resident = Resident::kDevice;
      const auto on_device = cursor(90, 1, 25, options);
      for (int i = 0; i < 25; ++i) {  // 23 batches an epoch, the last one of 20
        const auto batch = alone->next();
        ASSERT_EQ(batch.target.size(0), i == 22 ? 20 : 90);
        ASSERT_EQ(batch.input.is_contiguous(at::MemoryFormat::ChannelsLast), channels_last);
        for (const auto* other : {&ahead, &in_memory, &on_device}) ASSERT_TRUE(same(batch, (*other)->next())) << i;
      }
    }
  }
}

TEST_F(ImageCursorTest, IsTheSameOnAGpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  const auto on_host = cursor(90, 1, 25, {.augment = true});
  for (const auto& options : {DataOptions{.resident = Resident::kDevice, .augment = true},
                              DataOptions{.workers = 2, .pin_memory = true, .augment = true}}) {
    const auto batches = make_image_cursor({{}, 90, 1, 25, 3, folder_, at::kCUDA}, cifar10(), options);
    on_host->seek(0);
    for (int i = 0; i < 5; ++i) {
      const auto batch = batches->next();
      EXPECT_EQ(options.pin_memory, batch.input.is_pinned());
      ASSERT_TRUE(same({batch.input.cpu(), batch.target.cpu()}, on_host->next()));
    }
  }
}

TEST_F(ImageCursorTest, AugmentsEachEpochAnew) {
  const DataOptions options{.augment = true, .shuffle = false};
  const auto batches = cursor(25'000, 0, 1, options);
  const auto first = copy_of(batches->next());
  batches->seek(2);
  const auto next_epoch = batches->next();
  EXPECT_TRUE(torch::equal(first.target, next_epoch.target));
  EXPECT_FALSE(torch::equal(first.input, next_epoch.input));
}

TEST_F(ImageCursorTest, ForgetsWhatIsAheadOnSeek) {
  const auto batches = cursor(64, 0, 1, {.workers = 2, .prefetch = 3});
  const auto alone = cursor(64, 0, 1);
  for (const std::int64_t position : {0, 5, 6, 2, 790, 0}) {
    batches->seek(position);
    alone->seek(position);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(same(batches->next(), alone->next())) << position;
    EXPECT_EQ(batches->position(), position + 3);
  }
}

TEST_F(ImageCursorTest, NeverOverwritesABatchThatIsHeld) {
  for (const std::int64_t workers : {0, 2}) {
    const auto batches = cursor(16, 0, 1, {.workers = workers});
    const auto held = batches->next();
    const auto expected = copy_of(held);
    auto seen = batches->next();
    const Batch views{seen.input.select(0, 3), seen.target.slice(0, 1, 5)};
    const auto expected_views = copy_of(views);
    seen = {};
    for (int i = 0; i < 40; ++i) batches->next();
    EXPECT_TRUE(same(held, expected));
    EXPECT_TRUE(same(views, expected_views));
  }
}

TEST_F(ImageCursorTest, UsesItsMemoryAgain) {
  const auto batches = cursor(16, 0, 1);
  std::set<const void*> memory;
  for (int i = 0; i < 40; ++i) memory.insert(batches->next().input.const_data_ptr());
  EXPECT_LE(memory.size(), 3U);
}

TEST_F(ImageCursorTest, ABatchLargerThanTheSetIsTheCallersMistake) {
  try {
    cursor(30'000, 0, 2);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("30000: must be at most 25000"));
  }
}

TEST_F(ImageCursorTest, AFileCutShortIsAnErrorThatNamesItAndLeavesThePosition) {
  const auto folder = *scratch_ / "cut_short";
  std::filesystem::copy(folder_, folder);
  for (const std::int64_t workers : {0, 2}) {
    const auto batches = make_image_cursor({{}, 64, 0, 1, 3, folder}, cifar10(), {.workers = workers});
    batches->next();
    const auto file = folder + "/data_batch_3.bin";
    const auto size = std::filesystem::file_size(file);
    std::filesystem::resize_file(file, 3073);
    batches->seek(1);
    try {
      batches->next();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("data_batch_3.bin"));
    }
    EXPECT_EQ(batches->position(), 1);
    EXPECT_THROW(batches->next(), Error);
    std::filesystem::resize_file(file, size);
  }
}

TEST(DataOptionsTest, AreReadFromTheTableAndRefuseWhatCannotGoTogether) {
  auto values = default_values(data_options("cifar", "cifar"));
  const auto defaults = data_options_from(values);
  EXPECT_EQ(defaults.workers, 0);
  EXPECT_TRUE(defaults.shuffle);
  EXPECT_FALSE(defaults.keep_last || defaults.augment || defaults.pin_memory || defaults.constant);
  values["resident"] = "device";
  EXPECT_EQ(data_options_from(values).resident, Resident::kDevice);
  values["workers"] = "2";
  values["pin_memory"] = "true";
  try {
    data_options_from(values);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    ASSERT_EQ(error.messages().size(), 2U);
    EXPECT_THAT(error.messages().front(), HasSubstr("workers = 2 cannot go with resident = \"device\""));
  }
}

}  // namespace
}  // namespace ddpbench
