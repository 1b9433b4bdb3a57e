#include "suite/formats/weights_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "suite/base/errors.hpp"
#include "tests/suite/formats/small_data.hpp"
#include "tests/suite/formats/small_zip.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace std::string_literals;

std::string what_is_wrong_at(const std::string& path) {
  try {
    read_weights_index(path);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string what_is_wrong_in(const std::string& bytes) {
  const TestFolder folder;
  std::ofstream(folder / "w.pt", std::ios::binary) << bytes;
  return what_is_wrong_at(folder / "w.pt");
}

std::string changed(std::string bytes, const std::string& from, const std::string& to) {
  return bytes.replace(bytes.find(from), from.size(), to);
}

TEST(WeightsFile, SaysWhatItHolds) {
  const TestFolder folder;
  std::ofstream(folder / "w.pt", std::ios::binary) << test::sound_weights();
  const auto tensors = read_weights_index(folder / "w.pt");
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "w");
  EXPECT_THAT(tensors[1].sizes, ElementsAre(2));
}

TEST(WeightsFile, WhatIsNoFileIsRefusedByItsKind) {
  const TestFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(what_is_wrong_at(folder / "pipe"), "weights " + (folder / "pipe") + ": is not a regular file");
  EXPECT_EQ(what_is_wrong_at("/etc"), "weights /etc: is not a regular file");
  EXPECT_EQ(what_is_wrong_at("/dev/null"), "weights /dev/null: is not a regular file");
  EXPECT_EQ(what_is_wrong_at(folder / "none"), "weights " + (folder / "none") + ": missing");
}

TEST(WeightsFile, OtherFilesAreRefusedByWhatTheyAre) {
  EXPECT_THAT(what_is_wrong_in(""), HasSubstr("is not a whole file as torch.save writes it: it is empty"));
  EXPECT_THAT(what_is_wrong_in("hello, weights"), HasSubstr("it does not begin with"));
  EXPECT_THAT(what_is_wrong_in(test::sound_pickle()), HasSubstr("before PyTorch 1.6"));
  EXPECT_THAT(what_is_wrong_in(test::zip_of({{"a/b", "c"}})), HasSubstr("it holds no data.pkl"));
  EXPECT_THAT(what_is_wrong_in(test::zip_of({{"w/data.pkl", test::sound_pickle()}, {"w/data/0", std::string(24, '\0')}})),
              HasSubstr("the values of b are missing"));
  EXPECT_THAT(what_is_wrong_in(changed(test::sound_weights(), "K\6tq", "K\5tq")), HasSubstr("the values of w are 24 bytes"));
  EXPECT_THAT(what_is_wrong_in(changed(test::sound_weights(), "QK\0K\2"s, "QK\1K\2"s)),
              HasSubstr("w does not lie in its storage of 6 elements"));
}

TEST(WeightsFile, CutShortAnywhereItIsRefused) {
  const auto whole = test::sound_weights();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    EXPECT_THAT(what_is_wrong_in(whole.substr(0, size)), AllOf(StartsWith("weights "), HasSubstr("is not a whole file"))) << size;
  }
}

TEST(WeightsFile, AnyOtherByteInItsDirectoryEndsInAnAnswer) {
  const auto whole = test::sound_weights();
  const TestFolder folder;
  for (std::size_t place = whole.rfind("PK\x01\x02") - 120; place < whole.size(); ++place) {
    for (const char byte : "\0\x7f\xff"s) {
      auto bytes = whole;
      bytes[place] = byte;
      std::ofstream(folder / "w.pt", std::ios::binary) << bytes;
      what_is_wrong_at(folder / "w.pt");  // whatever it is: the sanitizers look on
    }
  }
}

TEST(WeightsFile, NoTensorReachesBeyondItsStorage) {
  const auto why = [](std::int64_t offset, std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
    StoredTensor tensor;
    tensor.elements = 6;
    tensor.offset = offset;
    tensor.sizes = std::move(sizes);
    tensor.strides = std::move(strides);
    return why_outside_storage(tensor);
  };
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(why(0, {2, 3}, {3, 1}), "");
  EXPECT_EQ(why(5, {}, {}), "");
  EXPECT_EQ(why(9, {0}, {1}), "") << "no value at all";
  EXPECT_NE(why(1, {2, 3}, {3, 1}), "");
  EXPECT_NE(why(6, {}, {}), "");
  EXPECT_NE(why(-1, {2}, {1}), "");
  EXPECT_NE(why(0, {-2}, {1}), "");
  EXPECT_NE(why(0, {2}, {-1}), "");
  EXPECT_NE(why(0, {2}, {}), "");
  EXPECT_NE(why(0, {kLargest, kLargest}, {kLargest, kLargest}), "");
}

}  // namespace
}  // namespace ddpbench
