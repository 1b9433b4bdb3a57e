#include "suite/formats/idx.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "suite/base/errors.hpp"
#include "suite/formats/data_folder.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kImageHeader = 16, kLabelHeader = 8, kImageBytes = 28 * 28;

// A generated set in the folder in which torchvision looks for MNIST.
class Idx : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return files_ + "/" + name; }
  std::vector<std::string> mistakes() const { return data_mistakes(kSmallMnist, folder_.path()); }
  std::vector<std::string> mistakes_on_open() const {
    try {
      ImageFiles(kSmallMnist, folder_.path(), Split::kTrain);
    } catch (const UsageError& error) {
      return error.messages();
    }
    return {};
  }

  TestFolder folder_;
  std::string files_ = generate_data(kSmallMnist, folder_.path(), 5);
};

TEST_F(Idx, HasMnistsNumbersAtTheBeginningOfItsFiles) {
  const auto of_images = bytes_of(file("train-images-idx3-ubyte")), of_labels = bytes_of(file("t10k-labels-idx1-ubyte"));
  EXPECT_EQ(of_images.substr(0, kImageHeader), std::string("\0\0\x08\x03\0\0\0\xc8\0\0\0\x1c\0\0\0\x1c", kImageHeader));
  EXPECT_EQ(of_images.size(), kImageHeader + 200 * kImageBytes);
  EXPECT_EQ(of_labels.substr(0, kLabelHeader), std::string("\0\0\x08\x01\0\0\0\x64", kLabelHeader));
  EXPECT_EQ(of_labels.size(), kLabelHeader + 100);
}

TEST_F(Idx, IsReadAsItStandsInBothFiles) {
  const auto of_images = bytes_of(file("train-images-idx3-ubyte")), of_labels = bytes_of(file("train-labels-idx1-ubyte"));
  for (const auto& path : {folder_.path(), files_}) {
    for (const bool in_memory : {false, true}) {
      ImageFiles images(kSmallMnist, path, Split::kTrain);
      if (in_memory) images.keep_in_memory();
      ASSERT_EQ(images.size(), 200);
      for (const std::size_t i : {0U, 7U, 199U}) {
        ImageRecord buffer{};
        const auto image = images.read(static_cast<std::int64_t>(i), buffer);
        EXPECT_EQ(image.label, of_labels[kLabelHeader + i]);
        EXPECT_EQ(std::memcmp(image.pixels, of_images.data() + kImageHeader + i * kImageBytes, kImageBytes), 0);
      }
    }
  }
}

TEST_F(Idx, IsWholeAsGeneratedAndFoundBelowASite) {
  EXPECT_THAT(mistakes(), IsEmpty());
  const auto found = find_or_generate_data(kSmallMnist, {"", "", folder_.path(), ""});
  EXPECT_EQ(found.path, files_);
  EXPECT_EQ(found.origin, "from $DSDIR: " + files_ + ", generated (seed 5): not the real MNIST");
}

struct Damage {
  std::string name;
  std::function<void(const std::string& path)> make;
  std::string said;
};

TEST_F(Idx, WhatIsWrongWithAFileIsSaidOnOpeningAndByVerify) {
  const auto cut = [](std::uintmax_t bytes) {
    return [=](const std::string& path) { std::filesystem::resize_file(path, bytes); };
  };
  const auto put = [](std::int64_t offset, std::uint8_t value) {
    return [=](const std::string& path) { put_byte(path, offset, value); };
  };
  const auto compress = [&](const std::string& path) {
    put(0, 0x1f)(path);
    put(1, 0x8b)(path);
  };
  for (const auto& damage : std::vector<Damage>{
           {"train-images-idx3-ubyte", put(3, 4),
            "begins with 0x00000804, must begin with 0x00000803 (unsigned bytes in 3 dimensions)"},
           {"train-labels-idx1-ubyte", put(2, 13),
            "begins with 0x00000d01, must begin with 0x00000801 (unsigned bytes in 1 dimension)"},
           {"train-images-idx3-ubyte", compress, "is compressed: decompress it by gunzip"},
           {"train-images-idx3-ubyte", put(7, 100), "holds [100, 28, 28] bytes, must be [200, 28, 28]"},
           {"train-images-idx3-ubyte", put(15, 32), "holds [200, 28, 32] bytes, must be [200, 28, 28]"},
           {"train-labels-idx1-ubyte", put(4, 1), "holds [16777416] bytes, must be [200]"},
           {"train-images-idx3-ubyte", cut(15), "15 bytes, must be 156816 (16 and 200 records of 784): truncated in its header"},
           {"train-images-idx3-ubyte", cut(16 + 2 * 784 + 3),
            "1587 bytes, must be 156816 (16 and 200 records of 784): truncated in record 2"},
           {"train-labels-idx1-ubyte", cut(209), "209 bytes, must be 208 (8 and 200 records of 1): 1 too many, from offset 208"},
           {"train-labels-idx1-ubyte", put(8 + 17, 10), "record 17 (offset 25): label 10, legal: 0 to 9"},
           {"train-labels-idx1-ubyte", [](const std::string& path) { std::filesystem::remove(path); }, "missing"},
           {"train-labels-idx1-ubyte", [](const std::string& path) { std::filesystem::rename(path, path + ".gz"); },
            "is there as .gz only: decompress it by gunzip"}}) {
    generate_data(kSmallMnist, folder_.path(), 5);
    damage.make(file(damage.name));
    EXPECT_THAT(mistakes(), ElementsAre(file(damage.name) + ": " + damage.said));
    EXPECT_THAT(mistakes_on_open(), ElementsAre(file(damage.name) + ": " + damage.said));
  }
}

TEST_F(Idx, VerifyNamesWhatIsWrongInAllFiles) {
  std::filesystem::remove(file("train-images-idx3-ubyte"));
  put_byte(file("train-labels-idx1-ubyte"), 8, 255);
  std::filesystem::resize_file(file("t10k-labels-idx1-ubyte"), 0);
  EXPECT_THAT(mistakes(), ElementsAre(file("train-images-idx3-ubyte") + ": missing",
                                      file("train-labels-idx1-ubyte") + ": record 0 (offset 8): label 255, legal: 0 to 9",
                                      file("t10k-labels-idx1-ubyte") +
                                          ": 0 bytes, must be 108 (8 and 100 records of 1): truncated in its header"));
}

}  // namespace
}  // namespace ddpbench
