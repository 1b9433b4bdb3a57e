#include "suite/formats/state_dict_pickle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/errors.hpp"
#include "tests/suite/formats/python_batch.hpp"
#include "tests/suite/formats/small_zip.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::string_literals;

const std::string kPickle = test::sound_pickle();

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

std::string checkpoint(const std::string& name, const std::string& of_model) {
  const std::string hyperparameters = "cmine\nHyper\n)\x81}" + test::text_of("width") + "K\2sb";
  return "\x80\2}(" + test::text_of("epoch") + "K\1" + test::text_of("hyper_parameters") + hyperparameters + test::text_of(name) +
         of_model + "u.";
}

TEST(StateDictPickle, OfACheckpointItIsTheModels) {
  const auto state_dict = kPickle.substr(2, kPickle.size() - 3);  // without protocol and end
  for (const auto* name : {"state_dict", "model"}) {
    const auto tensors = read_state_dict_pickle(checkpoint(name, state_dict));
    ASSERT_EQ(tensors.size(), 2U) << name;
    EXPECT_EQ(tensors[1].name, "b");
  }
  EXPECT_THAT(what_is_wrong_with(checkpoint("weights", state_dict)), HasSubstr("something else than a tensor as epoch"));
  EXPECT_THAT(what_is_wrong_with(checkpoint("state_dict", "cmine\nNet\n)\x81}b")), HasSubstr("holds mine.Net, not a state_dict"));
  EXPECT_THAT(what_is_wrong_with("\x80\2cmine\nNet\n)\x81}b."), HasSubstr("holds mine.Net, not a state_dict")) << "a whole model";
}

// Deeper than the stack is.
TEST(StateDictPickle, ObjectsMayNestAsDeepAsTheyLike) {
  std::string tuples = "N";
  for (int i = 0; i < 200'000; ++i) tuples += '\x85';
  EXPECT_THAT(what_is_wrong_with(tuples + "."), HasSubstr("something else than a dictionary"));
  std::string dictionaries = "}q\0"s;
  for (int i = 0; i < 200'000; ++i) dictionaries += "X\1\0\0\0a}q\1sh\1q\0"s;  // each becomes an item of the one before
  EXPECT_THAT(read_state_dict_pickle(dictionaries + "."), IsEmpty()) << "the innermost";
  EXPECT_THAT(what_is_wrong_with("}q\0X\1\0\0\0ah\0s."s), HasSubstr("something else than a tensor as a")) << "it holds itself";
}

// A few bytes must not ask for much memory.
TEST(StateDictPickle, WhatIsCopiedIsBounded) {
  std::string many_sizes = "(";
  for (int i = 0; i < 65; ++i) many_sizes += "K\1";
  auto pickle = kPickle;
  EXPECT_THAT(what_is_wrong_with(pickle.replace(pickle.find("K\2K\3\x86"), 5, many_sizes + "t")), HasSubstr("65 dimensions"));
  pickle = kPickle;
  const auto long_key = "X\xc9\0\0\0"s + std::string(201, '0');
  EXPECT_THAT(what_is_wrong_with(pickle.replace(pickle.find("X\1\0\0\0"
                                                            "0q"s),
                                                6, long_key)),
              HasSubstr("a name of 201 bytes"));
  pickle = kPickle;
  EXPECT_THAT(what_is_wrong_with(pickle.replace(pickle.find("X\1\0\0\0bq"s), 6, "X\1\0\0\0w"s)), HasSubstr("holds w twice"));
}

}  // namespace
}  // namespace ddpbench
