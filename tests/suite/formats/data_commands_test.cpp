#include "suite/formats/data_commands.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// A data set of the real size and all labels 0; the files take no space.
void make_empty_images(const TestFolder& folder, const DataSet& set) {
  const auto files = folder / std::string(set.versions[0].folder);
  std::filesystem::create_directories(files);
  for (const auto& file : set.versions[0].files) {
    const auto path = files + "/" + std::string(file.name);
    const std::ofstream made(path);
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(file.records * cifar_record_bytes(set)));
  }
}

TEST(DataCommands, WhatMakeWritesVerifyCallsWhole) {
  const TestFolder folder;
  const auto made = make_data(folder.path(), "cifar100", 3);
  EXPECT_EQ(made,
            folder / "cifar-100-binary" + ": CIFAR-100, 50000 training and 10000 test images, 100 classes, generated (seed 3)\n");
  EXPECT_EQ(verify_data(folder.path()), made);
  EXPECT_EQ(verify_data(folder / "cifar-100-binary"), made);
}

TEST(DataCommands, VerifyThrowsWithEveryMistake) {
  const TestFolder folder;
  make_empty_images(folder, find_data_set("cifar10"));
  const auto file = folder / "cifar-10-batches-bin/test_batch.bin";
  put_byte(file, 9999 * 3073, 10);
  std::filesystem::remove(folder / "cifar-10-batches-bin/data_batch_4.bin");
  try {
    verify_data(folder.path());
    FAIL() << "no error";
  } catch (const UsageError& error) {
    ASSERT_EQ(error.messages().size(), 2U);
    EXPECT_THAT(error.messages()[0], HasSubstr("data_batch_4.bin: missing"));
    EXPECT_EQ(error.messages()[1], file + ": record 9999 (offset 30726927): label 10, legal: 0 to 9");
  }
}

TEST(DataCommands, VerifyLooksAtEveryDataSetOfTheFolder) {
  const TestFolder folder;
  for (const char* name : {"cifar10", "cifar100"}) make_empty_images(folder, find_data_set(name));
  make_data(folder.path(), "mnist", 1);
  EXPECT_EQ(verify_data(folder.path()),
            folder / "cifar-10-batches-bin" + ": CIFAR-10, 50000 training and 10000 test images, 10 classes\n" +
                (folder / "cifar-100-binary" + ": CIFAR-100, 50000 training and 10000 test images, 100 classes\n") +
                (folder / "MNIST/raw" + ": MNIST, 60000 training and 10000 test images, 10 classes, generated (seed 1)\n"));
}

TEST(DataCommands, NameWhatIsKnownAndLookedFor) {
  const TestFolder folder;
  try {
    make_data(folder.path(), "imagenet", 1);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown data set 'imagenet' (known: cifar10, cifar100, mnist)");
  }
  try {
    verify_data(folder.path());
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                StartsWith(folder.path() + ": no data set here (looked for cifar-10-batches-bin, cifar-10-batches-py,"));
  }
}

}  // namespace
}  // namespace ddpbench
