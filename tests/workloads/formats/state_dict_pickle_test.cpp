#include "workloads/formats/state_dict_pickle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::string_literals;

// torch 2.11.0: OrderedDict(w=zeros(2, 3), b=zeros(300)[3:5]) with the _metadata of a state_dict.
const std::string kPickle =
    "\x80\x02"
    "ccollections\nOrderedDict\nq\0)Rq\1(X\1\0\0\0wq\2ctorch._utils\n_rebuild_tensor_v2\nq\3(("
    "X\7\0\0\0storageq\4ctorch\nFloatStorage"
    "\nq\5X\1\0\0\0"
    "0q\6X\3\0\0\0cpuq\7K\6tq\x08QK\0K\2K\3\x86q\tK\3K\1\x86q\n\x89h\0)Rq\x0btq\x0cRq\rX\1\0\0\0bq\x0eh\3((h\4h\5X\1\0\0\0"
    "1q\x0fh\7M,\1tq\x10QK\3K\2\x85q\x11K\1\x85q\x12\x89h\0)Rq\x13tq\x14Rq\x15u}q\x16X\t\0\0\0_metadataq\x17h\0)Rq\x18sb."s;

std::string what_is_wrong_with(const std::string& pickle) {
  try {
    read_state_dict_pickle(pickle);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(StateDictPickle, SaysWhereEveryTensorLies) {
  const auto tensors = read_state_dict_pickle(kPickle);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "w");
  EXPECT_EQ(tensors[0].storage_type, "FloatStorage");
  EXPECT_EQ(tensors[0].key, "0");
  EXPECT_EQ(tensors[0].elements, 6);
  EXPECT_THAT(tensors[0].sizes, ElementsAre(2, 3));
  EXPECT_THAT(tensors[0].strides, ElementsAre(3, 1));
  EXPECT_EQ(tensors[1].name, "b");
  EXPECT_EQ(tensors[1].key, "1");
  EXPECT_EQ(tensors[1].elements, 300);
  EXPECT_EQ(tensors[1].offset, 3);
}

TEST(StateDictPickle, ReadsNumbersOfEverySize) {
  const auto with_offset = [](const std::string& number) {
    auto pickle = kPickle;
    return read_state_dict_pickle(pickle.replace(pickle.find("QK\0K\2"s) + 1, 2, number)).front().offset;
  };
  EXPECT_EQ(with_offset("M\xff\xff"s), 65'535);
  EXPECT_EQ(with_offset("J\xfe\xff\xff\xff"s), -2);
  EXPECT_EQ(with_offset("\x8a\0"s), 0);
  EXPECT_EQ(with_offset("\x8a\2\xff\xff"s), -1);
  EXPECT_EQ(with_offset("\x8a\5\0\0\0\0\1"s), std::int64_t{1} << 32U);
}

TEST(StateDictPickle, CutShortAnywhereItIsTheCallersMistake) {
  for (std::size_t size = 0; size < kPickle.size(); ++size) EXPECT_NE(what_is_wrong_with(kPickle.substr(0, size)), "") << size;
}

TEST(StateDictPickle, AnyOtherByteAnywhereEndsInAnAnswer) {
  for (std::size_t place = 0; place < kPickle.size(); ++place) {
    for (const char byte : "\0)(.Rtu}bsQ\xff"s) {
      auto pickle = kPickle;
      pickle[place] = byte;
      what_is_wrong_with(pickle);  // whatever it is: the sanitizers look on
    }
  }
}

TEST(StateDictPickle, RunsNothing) {
  EXPECT_THAT(what_is_wrong_with("\x80\2cos\nsystem\nX\4\0\0\0true\x85R."s), HasSubstr("holds os.system, not a state_dict"));
  EXPECT_THAT(what_is_wrong_with("\x80\4\x95."s), HasSubstr("pickle instruction 149"));
  EXPECT_THAT(what_is_wrong_with("K\1."), HasSubstr("something else than a dictionary"));
  EXPECT_THAT(read_state_dict_pickle("}."), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
