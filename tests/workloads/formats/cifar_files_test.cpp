#include "workloads/formats/cifar_files.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "suite/vocab/errors.hpp"
#include "tests/workloads/formats/small_data.hpp"
#include "workloads/formats/generate.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> mistakes_on_open(const std::string& path, Split split) {
  try {
    CifarImages(kSmall10, path, split);
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

TEST(CifarLayouts, AreThoseOfThePublishedBinaryFiles) {
  const auto& ten = find_cifar_layout("cifar10");
  EXPECT_EQ(ten.record_bytes(), 3073);
  EXPECT_EQ(ten.files.size() * 10000, 60000);
  const auto& hundred = find_cifar_layout("cifar100");
  EXPECT_EQ(hundred.record_bytes(), 3074);
  EXPECT_EQ(hundred.classes(), 100);
  EXPECT_THROW(find_cifar_layout("imagenet"), UsageError);
}

TEST(CifarLayouts, AllFilesOfASplitHoldAsManyRecords) {
  for (const auto& layout : kCifarLayouts) {
    for (const auto& a : layout.files) {
      for (const auto& b : layout.files) EXPECT_TRUE(a.split != b.split || a.records == b.records) << layout.name;
    }
  }
}

TEST(CifarImages, AreTheRecordsOfAllFilesOfTheSplitInOrder) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  const CifarImages train(kSmall10, folder.path(), Split::kTrain);
  const auto second = bytes_of(files + "/data_batch_2.bin");
  ASSERT_EQ(train.size(), 400);
  EXPECT_EQ(train.classes(), 10);
  EXPECT_EQ(train.label(203), second[3 * 3073]);
  EXPECT_EQ(std::memcmp(train.pixels(203), second.data() + 3 * 3073 + 1, 3072), 0);
  EXPECT_EQ(CifarImages(kSmall10, files, Split::kTest).size(), 100);
}

TEST(CifarImages, TakeTheFineLabelOfCifar100) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall100, folder.path(), 1);
  const CifarImages train(kSmall100, folder.path(), Split::kTrain);
  const auto bytes = bytes_of(files + "/train.bin");
  EXPECT_EQ(train.classes(), 100);
  EXPECT_EQ(train.label(7), bytes[7 * 3074 + 1]);
  EXPECT_EQ(std::memcmp(train.pixels(7), bytes.data() + 7 * 3074 + 2, 3072), 0);
}

TEST(CifarImages, RefuseMissingTruncatedAndOversizedFilesAllAtOnce) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  std::filesystem::resize_file(files + "/data_batch_2.bin", 200 * 3073 - 1);
  std::filesystem::resize_file(files + "/test_batch.bin", 100 * 3073 + 2);
  EXPECT_THAT(
      mistakes_on_open(folder.path(), Split::kTrain),
      ElementsAre(files + "/data_batch_1.bin: missing",
                  files + "/data_batch_2.bin: 614599 bytes, must be 614600 (200 records of 3073): truncated in record 199"));
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTest), ElementsAre(HasSubstr("2 too many, from offset 307300")));
}

TEST(CifarImages, RefuseAFolderInPlaceOfAFileAndAnEmptyFile) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  std::filesystem::create_directory(files + "/data_batch_1.bin");
  std::filesystem::resize_file(files + "/data_batch_2.bin", 0);
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTrain),
              ElementsAre(HasSubstr("not a regular file"), HasSubstr("0 bytes, must be")));
}

}  // namespace
}  // namespace ddpbench
