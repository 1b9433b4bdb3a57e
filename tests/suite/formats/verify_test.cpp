#include "suite/formats/verify.hpp"

#include <gmock/gmock.h>

#include "suite/formats/generate.hpp"
#include "suite/formats/label_mistakes.hpp"
#include "tests/suite/formats/small_data.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DataMistakes, AreNoneInGeneratedData) {
  const TestFolder folder;
  generate_data(kSmall10, folder.path(), 3);
  generate_data(kSmall100, folder.path(), 3);
  EXPECT_THAT(data_mistakes(kSmall10, folder.path()), IsEmpty());
  EXPECT_THAT(data_mistakes(kSmall100, folder.path()), IsEmpty());
}

TEST(DataMistakes, NameRecordOffsetValueAndRangeOfALabel) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  put_byte(files + "/data_batch_2.bin", 17 * 3073, 10);
  EXPECT_THAT(data_mistakes(kSmall10, folder.path()),
              ElementsAre(files + "/data_batch_2.bin: record 17 (offset 52241): label 10, legal: 0 to 9"));
}

TEST(DataMistakes, HoldForBothLabelsOfCifar100) {
  const TestFolder folder;
  const auto files = generate_data(kSmall100, folder.path(), 1);
  put_byte(files + "/test.bin", 0, 20);
  put_byte(files + "/test.bin", 1, 100);
  EXPECT_THAT(data_mistakes(kSmall100, folder.path()),
              ElementsAre(EndsWith("record 0 (offset 0): coarse label 20, legal: 0 to 19"),
                          EndsWith("record 0 (offset 1): fine label 100, legal: 0 to 99")));
}

TEST(DataMistakes, AreAllOfAllFiles) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  std::filesystem::remove(files + "/data_batch_1.bin");
  std::filesystem::resize_file(files + "/data_batch_2.bin", 100);
  put_byte(files + "/test_batch.bin", 0, 255);
  std::filesystem::resize_file(files + "/test_batch.bin", 100 * 3073 + 1);
  EXPECT_THAT(data_mistakes(kSmall10, folder.path()), ElementsAre(HasSubstr("missing"), HasSubstr("truncated in record 0"),
                                                                  HasSubstr("1 too many"), HasSubstr("label 255")));
}

TEST(DataMistakes, CountTheLabelsPastTheFirstFew) {
  const TestFolder folder;
  const auto files = generate_data(kSmall10, folder.path(), 1);
  for (int record = 0; record < 9; ++record) put_byte(files + "/test_batch.bin", record * 3073, 77);
  const auto mistakes = data_mistakes(kSmall10, folder.path());
  ASSERT_EQ(mistakes.size(), kLabelMistakesShown + 1);
  EXPECT_THAT(mistakes.back(), EndsWith("4 more labels out of range"));
}

TEST(DataMistakes, NameEveryFileOfAFolderThatIsNotThere) {
  EXPECT_THAT(data_mistakes(kSmall10, "/nowhere"), ElementsAre("/nowhere/cifar-10-batches-bin/data_batch_1.bin: missing",
                                                               HasSubstr("data_batch_2.bin"), HasSubstr("test_batch.bin")));
}

}  // namespace
}  // namespace ddpbench
