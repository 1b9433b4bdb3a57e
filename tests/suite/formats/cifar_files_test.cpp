#include "suite/formats/cifar_files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>

#include "suite/base/errors.hpp"
#include "suite/formats/generate.hpp"
#include "tests/suite/formats/small_data.hpp"

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

bool has_pixels(const CifarImages& images, std::int64_t index, const char* expected) {
  CifarRecord buffer{};
  return std::memcmp(images.read(index, buffer).pixels, expected, 3072) == 0;
}

std::string error_of_reading(const CifarImages& images, std::int64_t index) {
  try {
    label_of(images, index);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CifarImages, AreTheRecordsOfAllFilesOfTheSplitInOrder) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  const CifarImages train(kSmall10, folder.path(), Split::kTrain);
  const auto second = bytes_of(files + "/data_batch_2.bin");
  ASSERT_EQ(train.size(), 400);
  EXPECT_EQ(train.classes(), 10);
  EXPECT_EQ(label_of(train, 203), second[3 * 3073]);
  EXPECT_TRUE(has_pixels(train, 203, second.data() + 3 * 3073 + 1));
  EXPECT_EQ(CifarImages(kSmall10, files, Split::kTest).size(), 100);
}

TEST(CifarImages, TakeTheFineLabelOfCifar100) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall100, folder.path(), 1);
  const CifarImages train(kSmall100, folder.path(), Split::kTrain);
  const auto bytes = bytes_of(files + "/train.bin");
  EXPECT_EQ(train.classes(), 100);
  EXPECT_EQ(label_of(train, 7), bytes[7 * 3074 + 1]);
  EXPECT_TRUE(has_pixels(train, 7, bytes.data() + 7 * 3074 + 2));
}

TEST(CifarImages, AreTheSameFromMemoryWhateverBecomesOfTheFiles) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  CifarImages train(kSmall10, folder.path(), Split::kTrain);
  const auto second = bytes_of(files + "/data_batch_2.bin");
  train.keep_in_memory();
  std::filesystem::resize_file(files + "/data_batch_2.bin", 0);
  EXPECT_EQ(label_of(train, 399), second[199 * 3073]);
  EXPECT_TRUE(has_pixels(train, 203, second.data() + 3 * 3073 + 1));
}

TEST(CifarImages, SayWhichFileWasCutShortUnderThem) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  CifarImages train(kSmall10, folder.path(), Split::kTrain);
  std::filesystem::resize_file(files + "/data_batch_2.bin", 10 * 3073 + 5);
  EXPECT_EQ(error_of_reading(train, 209), "");
  EXPECT_EQ(error_of_reading(train, 210),
            files +
                "/data_batch_2.bin: ends at or before offset 30735, but had 614600 bytes when it was "
                "opened: truncated while in use");
  EXPECT_THROW(train.keep_in_memory(), Error);
}

TEST(CifarImages, RefuseAnIndexOutOfRangeAndALabelOutOfRange) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  const CifarImages train(kSmall10, folder.path(), Split::kTrain);
  EXPECT_EQ(error_of_reading(train, 400), "CIFAR-10 has no image 400, legal: 0 to 399");
  EXPECT_THAT(error_of_reading(train, -1), HasSubstr("no image -1"));
  put_byte(files + "/data_batch_2.bin", 3 * 3073, 77);
  EXPECT_EQ(error_of_reading(train, 203), files + "/data_batch_2.bin: record 3: label 77, legal: 0 to 9");
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

TEST(CifarImages, ANamedPipeInPlaceOfAFileIsNotWaitedFor) {
  const TestFolder folder;
  const auto files = generate_cifar(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  ASSERT_EQ(::mkfifo((files + "/data_batch_1.bin").c_str(), 0600), 0);
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTrain), ElementsAre(HasSubstr("not a regular file")));
}

}  // namespace
}  // namespace ddpbench
