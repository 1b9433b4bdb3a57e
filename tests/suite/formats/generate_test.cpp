#include "suite/formats/generate.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/formats/image_files.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using Image = std::vector<double>;

Image image_at(const ImageFiles& images, std::int64_t index) {
  ImageRecord buffer{};
  const auto* pixels = images.read(index, buffer).pixels;
  return {pixels, pixels + images.shape().bytes()};
}

std::vector<Image> class_means(const ImageFiles& images) {
  std::vector<Image> means(static_cast<std::size_t>(images.classes()),
                           Image(static_cast<std::size_t>(images.shape().bytes()), 0));
  std::vector<double> counts(means.size(), 0);
  for (std::int64_t i = 0; i < images.size(); ++i) {
    const auto label = static_cast<std::size_t>(label_of(images, i));
    const auto image = image_at(images, i);
    counts[label] += 1;
    for (std::size_t p = 0; p < image.size(); ++p) means[label][p] += image[p];
  }
  for (std::size_t c = 0; c < means.size(); ++c) {
    for (auto& value : means[c]) value /= counts[c];
  }
  return means;
}

TEST(DataSets, EachCanBeGeneratedInItsFirstVersion) {
  for (const auto& set : data_sets()) EXPECT_NE(set.versions.front().format->generate, nullptr) << set.name;
}

double squared_distance(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

std::int64_t nearest(const std::vector<Image>& means, const Image& image) {
  const auto closer = [&](const Image& a, const Image& b) { return squared_distance(a, image) < squared_distance(b, image); };
  return std::min_element(means.begin(), means.end(), closer) - means.begin();
}

TEST(Generate, ImagesOfTheTestSplitAreToldApartByTheMeansOfTheTrainSplit) {
  for (const auto& set : {kSmall10, kSmallMnist}) {
    const TestFolder folder;
    generate_data(set, folder.path(), 1);
    const auto means = class_means(ImageFiles(set, folder.path(), Split::kTrain));
    const ImageFiles test(set, folder.path(), Split::kTest);
    int right = 0;
    for (std::int64_t i = 0; i < test.size(); ++i) right += nearest(means, image_at(test, i)) == label_of(test, i) ? 1 : 0;
    EXPECT_GT(right, 60) << set.title << ", of 100; chance is 10";
  }
}

TEST(Generate, TheSameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  const TestFolder folder;
  const auto first = generate_data(kSmall10, folder / "a", 7);
  const auto again = generate_data(kSmall10, folder / "b", 7);
  const auto other = generate_data(kSmall10, folder / "c", 8);
  for (const auto& file : kSmall10Files) {
    const auto name = "/" + std::string(file.name);
    EXPECT_EQ(bytes_of(first + name), bytes_of(again + name));
    EXPECT_NE(bytes_of(first + name), bytes_of(other + name));
  }
  EXPECT_NE(bytes_of(first + "/data_batch_1.bin"), bytes_of(first + "/data_batch_2.bin"));
}

TEST(Generate, EveryClassOccursEquallyOftenInMixedOrder) {
  const TestFolder folder;
  generate_data(kSmall10, folder.path(), 1);
  const ImageFiles train(kSmall10, folder.path(), Split::kTrain);
  std::vector<int> labels;
  for (std::int64_t i = 0; i < train.size(); ++i) labels.push_back(label_of(train, i));
  EXPECT_FALSE(std::is_sorted(labels.begin(), labels.begin() + 20));
  for (int label = 0; label < 10; ++label) EXPECT_EQ(std::count(labels.begin(), labels.end(), label), 40);
}

TEST(Generate, WritesClassNamesAndSaysThatTheDataIsNotReal) {
  const TestFolder folder;
  const auto files = generate_data(kSmall100, folder.path(), 42);
  const auto names = bytes_of(files + "/fine_label_names.txt");
  EXPECT_EQ(std::count(names.begin(), names.end(), '\n'), 100);
  EXPECT_EQ(generated_seed(files), 42);
  std::filesystem::remove(files + "/GENERATED_BY_DDPBENCH.txt");
  EXPECT_EQ(generated_seed(files), std::nullopt);
}

TEST(Generate, TakesThePlaceOfEarlierGeneratedDataAndLeavesNothingElse) {
  const TestFolder folder;
  generate_data(kSmall10, folder.path(), 1);
  const auto files = generate_data(kSmall10, folder.path(), 2);
  EXPECT_EQ(generated_seed(files), 2);
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(Generate, LeavesFilesOfOthersAlone) {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "cifar-10-batches-bin");
  std::ofstream(folder / "cifar-10-batches-bin/data_batch_1.bin") << "real";
  EXPECT_THROW(generate_data(kSmall10, folder.path(), 1), UsageError);
  EXPECT_EQ(bytes_of(folder / "cifar-10-batches-bin/data_batch_1.bin"), "real");
}

TEST(Generate, CannotRunWhereTheFolderCannotBeMade) {
  const TestFolder folder;
  std::ofstream(folder / "file") << "x";
  EXPECT_THROW(generate_data(kSmall10, folder / "file/below", 1), CannotRun);
}

TEST(Generate, WhatAKilledOneLeftBehindIsRemovedByTheNext) {
  const TestFolder folder;
  const auto left_behind = folder / "cifar-10-batches-bin.partial-a1b2c3",
             of_another = folder / "cifar-10-batches-bin.partial-living";
  for (const auto& partial : {left_behind, of_another}) {
    std::filesystem::create_directories(partial);
    std::ofstream(partial + "/data_batch_1.bin") << "half";
  }
  const int lock = ::open(of_another.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  generate_data(kSmall10, folder.path(), 1);
  EXPECT_FALSE(std::filesystem::exists(left_behind));
  EXPECT_TRUE(std::filesystem::exists(of_another + "/data_batch_1.bin")) << "its maker lives";
  ::close(lock);
}

TEST(Generate, ANamedPipeInThePlaceOfTheNoteIsNoNote) {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "cifar-10-batches-bin");
  ASSERT_EQ(::mkfifo((folder / "cifar-10-batches-bin/GENERATED_BY_DDPBENCH.txt").c_str(), 0600), 0);
  EXPECT_EQ(generated_seed(folder / "cifar-10-batches-bin"), std::nullopt);
}

}  // namespace
}  // namespace ddpbench
