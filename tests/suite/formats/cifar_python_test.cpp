#include "suite/formats/cifar_python.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/formats/data_folder.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"
#include "tests/suite/formats/python_batch.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using test::array_of;
using test::batch_of;
using test::list_of;
using test::pickle_of;
using test::text_of;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

constexpr std::int64_t kPixelBytes = 3072;

class CifarPython : public testing::Test {
 protected:
  // The same images in both versions, each in a folder of its own.
  void make(const DataSet& set) {
    const auto binary = generate_data(set, folder_ / "binary", 5);
    const auto python = folder_ / ("python/" + std::string(set.versions[1].folder));
    std::filesystem::create_directories(python);
    const auto binary_files = set.versions[0].files, python_files = set.versions[1].files;
    for (std::size_t i = 0; i < binary_files.size(); ++i) {
      const auto pickle = pickle_of(set, batch_of(set, bytes_of(binary + "/" + std::string(binary_files[i].name))));
      std::ofstream(python + "/" + std::string(python_files[i].name), std::ios::binary) << pickle;
    }
    std::filesystem::copy_file(binary + "/GENERATED_BY_DDPBENCH.txt", python + "/GENERATED_BY_DDPBENCH.txt");
  }
  std::string file(const std::string& name) const { return folder_ / ("python/cifar-10-batches-py/" + name); }
  void write(const std::string& name, const std::string& bytes) const { std::ofstream(file(name), std::ios::binary) << bytes; }
  std::vector<std::string> mistakes() const { return data_mistakes(kSmall10, folder_ / "python"); }

  TestFolder folder_;
};

void expect_same_images(const DataSet& set, const std::string& binary, const std::string& python, bool in_memory) {
  for (const auto split : {Split::kTrain, Split::kTest}) {
    ImageFiles one(set, binary, split), other(set, python, split);
    if (in_memory) other.keep_in_memory();
    ASSERT_EQ(one.size(), other.size());
    ImageRecord room{}, other_room{};
    for (std::int64_t i = 0; i < one.size(); i += 7) {
      const auto a = one.read(i, room), b = other.read(i, other_room);
      ASSERT_EQ(a.label, b.label) << i;
      ASSERT_TRUE(std::equal(a.pixels, a.pixels + kPixelBytes, b.pixels)) << i;
    }
  }
}

TEST_F(CifarPython, HasTheImagesAndLabelsOfTheBinaryVersion) {
  for (const auto& set : {kSmall10, kSmall100}) {
    make(set);
    for (const bool in_memory : {false, true}) {
      expect_same_images(set, folder_ / "binary", folder_ / "python", in_memory);
    }
    EXPECT_THAT(data_mistakes(set, folder_ / "python"), IsEmpty());
  }
}

TEST_F(CifarPython, IsFoundBelowASite) {
  make(kSmall10);
  std::filesystem::create_directories(folder_ / "site/CIFAR_10");
  std::filesystem::rename(folder_ / "python/cifar-10-batches-py", folder_ / "site/CIFAR_10/cifar-10-batches-py");
  const auto found = find_or_generate_data(kSmall10, {"", "", folder_ / "site", ""});
  EXPECT_EQ(found.path, folder_ / "site/CIFAR_10/cifar-10-batches-py");
  EXPECT_THAT(found.origin, HasSubstr("not the real CIFAR-10"));
}

TEST_F(CifarPython, IsTheOriginalByItsSum) {
  EXPECT_EQ(md5_text("abc"), "900150983cd24fb0d6963f7d28e17f72");  // RFC 1321, A.5
  make(kSmall10);
  std::filesystem::remove(file("GENERATED_BY_DDPBENCH.txt"));
  const auto sums = std::array{md5_text(bytes_of(file("data_batch_1"))), md5_text(bytes_of(file("data_batch_2"))),
                               md5_text(bytes_of(file("test_batch")))};
  auto files = kSmall10PythonFiles;
  for (std::size_t i = 0; i < files.size(); ++i) files[i].md5 = sums[i];
  const std::array versions{DataVersion{"cifar-10-batches-py", &kCifarPython, files}};
  const auto set = with_files("cifar10", versions);
  EXPECT_THAT(data_mistakes(set, folder_ / "python"), IsEmpty());
  put_byte(file("data_batch_2"), 100'000, 7);
  EXPECT_THAT(data_mistakes(set, folder_ / "python"), ElementsAre(HasSubstr("data_batch_2: is not the original CIFAR-10")));
}

TEST_F(CifarPython, WrongLabelsAndSizesAreNamed) {
  make(kSmall10);
  auto batch = batch_of(kSmall10, bytes_of(folder_ / "binary/cifar-10-batches-bin/data_batch_1.bin"));
  batch.labels[0][3] = 12;
  write("data_batch_1", pickle_of(kSmall10, batch));
  EXPECT_THAT(mistakes(), ElementsAre(HasSubstr("data_batch_1: record 3: label 12, legal: 0 to 9")));
  batch.labels[0].pop_back();
  write("data_batch_1", pickle_of(kSmall10, batch));
  EXPECT_THAT(mistakes(), ElementsAre(HasSubstr("data_batch_1: holds 199 of 200 labels")));
  batch.pixels.resize(batch.pixels.size() - kPixelBytes);
  write("data_batch_1", pickle_of(kSmall10, batch));
  EXPECT_THAT(mistakes(), ElementsAre(HasSubstr("holds an array that is not [200, 3072]")));
  std::filesystem::remove(file("data_batch_1"));
  EXPECT_THAT(mistakes(), ElementsAre(HasSubstr("data_batch_1: missing")));
}

TEST(CifarPythonFile, WhatIsSomethingElseIsRefused) {
  const auto file = kSmall10PythonFiles[2];
  const std::string pixels(static_cast<std::size_t>(file.records * kPixelBytes), 'x');
  const auto dictionary = [&](const std::string& array) {
    return "\x80\x02}(" + text_of("labels") + list_of(std::vector<int>(100, 1)) + text_of("data") + array + "u.";
  };
  const auto read = [&](const std::string& bytes) { return read_cifar_python(kSmall10, file, "F", bytes); };
  EXPECT_EQ(read(dictionary(array_of(pixels, 100))).labels[0].size(), 100U);
  for (const auto& wrong : std::vector<std::pair<std::string, std::string>>{
           {"", "F: ends in the middle of an object, not a batch of CIFAR's Python version"},
           {"\x80\x02K\x01.", "of an unknown layout"},
           {"\x80\x02}.", "holds no data"},
           {"\x80\x02}(" + text_of("data") + "cos\nsystem\n" + text_of("true") + "\x85Ru.", "holds os.system"},
           {dictionary(text_of("x")), "something else than an array as data"},
           {dictionary(array_of(pixels, 100, "f4")), "an array of something else than bytes"},
           {dictionary(array_of(pixels, 100, "u1", '\x88')), "in Fortran's order"},
           {dictionary(array_of(pixels, 50)), "not [100, 3072]"}}) {
    EXPECT_THAT([&] { read(wrong.first); }, ThrowsMessage<UsageError>(HasSubstr(wrong.second)));
  }
  const auto whole = dictionary(array_of(pixels, 100));
  for (std::size_t cut = 0; cut < 700; ++cut) EXPECT_THROW(read(whole.substr(0, cut)), UsageError) << cut;
}

}  // namespace
}  // namespace ddpbench
