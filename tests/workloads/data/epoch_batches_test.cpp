#include "workloads/data/epoch_batches.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/formats/generate.hpp"
#include "tests/suite/formats/small_data.hpp"
#include "workloads/data/batch_filler.hpp"
#include "workloads/data/ordered_queue.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

std::vector<std::int64_t> images_of(const BatchShare& share) {
  std::vector<std::int64_t> images;
  for (std::int64_t i = 0; i < share.count; ++i) images.push_back(share.image(i));
  return images;
}

TEST(EpochBatches, LeaveTheLastOutOrKeepItSmaller) {
  const SamplerOptions ten_on_three{.size = 10, .world_size = 3, .rank = 1, .shuffle = false};  // four images for each rank
  EXPECT_EQ(EpochBatches(ten_on_three, 3, false).per_epoch(), 1);
  EpochBatches kept(ten_on_three, 3, true);
  EXPECT_EQ(kept.per_epoch(), 2);
  EXPECT_EQ(images_of(kept.at(0)), (std::vector<std::int64_t>{1, 4, 7}));
  EXPECT_EQ(images_of(kept.at(1)), (std::vector<std::int64_t>{0}));  // the repeated one
  EXPECT_EQ(EpochBatches(ten_on_three, 4, true).per_epoch(), 1);
}

TEST(EpochBatches, ShuffleEachEpochAnewAndReturnToAnEarlierOne) {
  EpochBatches batches({.size = 100, .seed = 3}, 50, false);
  const auto first = images_of(batches.at(0)), next_epoch = images_of(batches.at(2));
  EXPECT_NE(first, next_epoch);
  EXPECT_EQ(images_of(batches.at(0)), first);
}

TEST(EpochBatches, ABatchLargerThanARanksImagesIsTheCallersMistake) {
  for (const bool keep_last : {false, true}) {
    try {
      const EpochBatches refused({.size = 10, .world_size = 3}, 5, keep_last);
      FAIL() << "no error";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("batch_size_per_rank = 5: must be at most 4"));
    }
  }
}

TEST(BatchShare, WordsHangOnSeedEpochAndPlaceOverAllRanks) {
  const auto words = [](std::int64_t seed, std::int64_t world_size, std::int64_t position) {
    std::set<std::uint64_t> all;
    for (std::int64_t rank = 0; rank < world_size; ++rank) {
      EpochBatches batches({.size = 24, .world_size = world_size, .rank = rank, .seed = seed}, 24 / world_size, false);
      const auto share = batches.at(position);
      for (std::int64_t i = 0; i < share.count; ++i) all.insert(share.random_word(i));
    }
    return all;
  };
  EXPECT_EQ(words(1, 1, 0).size(), 24U);
  EXPECT_EQ(words(1, 1, 0), words(1, 3, 0));
  EXPECT_NE(words(1, 1, 0), words(2, 1, 0));
  EXPECT_NE(words(1, 1, 0), words(1, 1, 1));
}

// A batch under way between consumer and workers, as the cursor has it.
struct Filled {
  BatchShare share;
  std::vector<float> input = std::vector<float>(16 * 3072);
  std::vector<std::int64_t> target = std::vector<std::int64_t>(16);
};

class Loading : public testing::Test {
 protected:
  Loading() : files_(generate_data(kSmall10, folder_.path(), 1)), images_(kSmall10, folder_.path(), Split::kTrain) {}

  BatchFiller filler() const { return {images_, transform_, PixelOrder::kPlanes, true}; }
  EpochBatches batches() const { return {{.size = images_.size(), .world_size = 2, .rank = 1, .seed = 5}, 16, true}; }

  Filled alone(std::int64_t position) const {
    auto epochs = batches();
    Filled filled{epochs.at(position)};
    filler().fill(filled.share, filled.input.data(), filled.target.data());
    return filled;
  }

  TestFolder folder_;
  std::string files_;
  ImageFiles images_;
  ImageTransform transform_{kSmall10};
};

TEST_F(Loading, GivesTheSameFloatsWhateverTheNumberOfWorkers) {
  const auto fill = filler();
  for (const std::size_t workers : {1U, 3U}) {
    OrderedQueue<Filled> queue(workers, 4, [&](Filled& item) { fill.fill(item.share, item.input.data(), item.target.data()); });
    auto epochs = batches();
    std::int64_t asked = 0;
    for (std::int64_t position = 0; position < 30; ++position) {  // over two epochs of 13 batches, each with a smaller last one
      while (queue.size() < queue.depth()) queue.push({epochs.at(asked++)});
      const auto ready = queue.pop();
      const auto same = alone(position);
      ASSERT_EQ(ready.input, same.input);
      ASSERT_EQ(ready.target, same.target);
    }
  }
}

TEST_F(Loading, AFileCutShortIsAnErrorAtTheFirstBatchThatNeedsIt) {
  const auto fill = filler();
  OrderedQueue<Filled> queue(2, 4, [&](Filled& item) { fill.fill(item.share, item.input.data(), item.target.data()); });
  std::filesystem::resize_file(files_ + "/data_batch_2.bin", 0);
  auto epochs = batches();
  queue.push({epochs.at(0)});
  try {
    queue.pop();
    FAIL() << "no error";
  } catch (const UsageError& error) {
    FAIL() << "not the caller's mistake: " << error.what();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("data_batch_2.bin"));
  }
}

}  // namespace
}  // namespace ddpbench
