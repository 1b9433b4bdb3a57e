#include "suite/formats/image_files.hpp"

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
    ImageFiles(kSmall10, path, split);
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

TEST(DataSets, AreThoseOfThePublishedBinaryFiles) {
  const auto& ten = find_data_set("cifar10");
  EXPECT_EQ(cifar_record_bytes(ten), 3073);
  EXPECT_EQ(ten.records(Split::kTrain) + ten.records(Split::kTest), 60000);
  const auto& hundred = find_data_set("cifar100");
  EXPECT_EQ(cifar_record_bytes(hundred), 3074);
  EXPECT_EQ(hundred.classes(), 100);
  EXPECT_THROW(find_data_set("imagenet"), UsageError);
}

TEST(DataSets, AllFilesOfASplitHoldAsManyRecords) {
  for (const auto& set : data_sets()) {
    for (const auto& version : set.versions) {
      for (const auto& a : version.files) {
        for (const auto& b : version.files) EXPECT_TRUE(a.split != b.split || a.records == b.records) << version.folder;
      }
      for (const auto split : {Split::kTrain, Split::kTest}) {
        std::int64_t records = 0;
        for (const auto& file : version.files) records += file.split == split ? file.records : 0;
        EXPECT_EQ(records, set.records(split)) << version.folder;
      }
    }
  }
}

bool has_pixels(const ImageFiles& images, std::int64_t index, const char* expected) {
  ImageRecord buffer{};
  return std::memcmp(images.read(index, buffer).pixels, expected, 3072) == 0;
}

std::string error_of_reading(const ImageFiles& images, std::int64_t index) {
  try {
    label_of(images, index);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ImageFiles, AreTheRecordsOfAllFilesOfTheSplitInOrder) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  const ImageFiles train(kSmall10, folder.path(), Split::kTrain);
  const auto second = bytes_of(files + "/data_batch_2.bin");
  ASSERT_EQ(train.size(), 400);
  EXPECT_EQ(train.classes(), 10);
  EXPECT_EQ(label_of(train, 203), second[3 * 3073]);
  EXPECT_TRUE(has_pixels(train, 203, second.data() + 3 * 3073 + 1));
  EXPECT_EQ(ImageFiles(kSmall10, files, Split::kTest).size(), 100);
}

TEST(ImageFiles, TakeTheFineLabelOfCifar100) {
  const TestFolder folder;
  const auto files = generate_data(kSmall100, folder.path(), 1);
  const ImageFiles train(kSmall100, folder.path(), Split::kTrain);
  const auto bytes = bytes_of(files + "/train.bin");
  EXPECT_EQ(train.classes(), 100);
  EXPECT_EQ(label_of(train, 7), bytes[7 * 3074 + 1]);
  EXPECT_TRUE(has_pixels(train, 7, bytes.data() + 7 * 3074 + 2));
}

TEST(ImageFiles, AreTheSameFromMemoryWhateverBecomesOfTheFiles) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  ImageFiles train(kSmall10, folder.path(), Split::kTrain);
  const auto second = bytes_of(files + "/data_batch_2.bin");
  train.keep_in_memory();
  std::filesystem::resize_file(files + "/data_batch_2.bin", 0);
  EXPECT_EQ(label_of(train, 399), second[199 * 3073]);
  EXPECT_TRUE(has_pixels(train, 203, second.data() + 3 * 3073 + 1));
}

TEST(ImageFiles, SayWhichFileWasCutShortUnderThem) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  ImageFiles train(kSmall10, folder.path(), Split::kTrain);
  std::filesystem::resize_file(files + "/data_batch_2.bin", 10 * 3073 + 5);
  EXPECT_EQ(error_of_reading(train, 209), "");
  EXPECT_EQ(error_of_reading(train, 210),
            files +
                "/data_batch_2.bin: ends at or before offset 30735, but had 614600 bytes when it was "
                "opened: truncated while in use");
  EXPECT_THROW(train.keep_in_memory(), Error);
}

TEST(ImageFiles, RefuseAnIndexOutOfRangeAndALabelOutOfRange) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  const ImageFiles train(kSmall10, folder.path(), Split::kTrain);
  EXPECT_EQ(error_of_reading(train, 400), "CIFAR-10 has no image 400, legal: 0 to 399");
  EXPECT_THAT(error_of_reading(train, -1), HasSubstr("no image -1"));
  put_byte(files + "/data_batch_2.bin", 3 * 3073, 77);
  EXPECT_EQ(error_of_reading(train, 203), files + "/data_batch_2.bin: record 3: label 77, legal: 0 to 9");
}

TEST(ImageFiles, RefuseMissingTruncatedAndOversizedFilesAllAtOnce) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  std::filesystem::resize_file(files + "/data_batch_2.bin", 200 * 3073 - 1);
  std::filesystem::resize_file(files + "/test_batch.bin", 100 * 3073 + 2);
  EXPECT_THAT(
      mistakes_on_open(folder.path(), Split::kTrain),
      ElementsAre(files + "/data_batch_1.bin: missing",
                  files + "/data_batch_2.bin: 614599 bytes, must be 614600 (200 records of 3073): truncated in record 199"));
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTest), ElementsAre(HasSubstr("2 too many, from offset 307300")));
}

TEST(ImageFiles, RefuseAFolderInPlaceOfAFileAndAnEmptyFile) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  std::filesystem::create_directory(files + "/data_batch_1.bin");
  std::filesystem::resize_file(files + "/data_batch_2.bin", 0);
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTrain),
              ElementsAre(HasSubstr("not a regular file"), HasSubstr("0 bytes, must be")));
}

TEST(ImageFiles, ANamedPipeInPlaceOfAFileIsNotWaitedFor) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  ASSERT_EQ(::mkfifo((files + "/data_batch_1.bin").c_str(), 0600), 0);
  EXPECT_THAT(mistakes_on_open(folder.path(), Split::kTrain), ElementsAre(HasSubstr("not a regular file")));
}

}  // namespace
}  // namespace ddpbench
