#include "suite/store/linear_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(LinearJson, IsWhatTheLibraryParses) {
  for (const auto* text :
       {R"({"z": 1, "a": [true, null, -3, 2.5, "té\n", {}, []], "m": {"y": {"x": 18446744073709551615}, "b": "last"}})",
        "[[], [1]]", "7", R"("alone")", "null", "{}"}) {
    EXPECT_EQ(parse_ordered_json(text, "file").dump(), Json::parse(text).dump()) << text;
  }
}

TEST(LinearJson, RefusesWhatIsNoJson) {
  for (const auto* text : {"", "{", "{\"a\": 1e999}", "{\"a\": 1} x", "\"\xff\""}) {
    EXPECT_THAT([&] { parse_ordered_json(text, "file"); }, ThrowsMessage<UsageError>(HasSubstr("file is not JSON"))) << text;
  }
}

TEST(LinearJson, NamesAKeyThatStandsTwice) {
  EXPECT_NO_THROW(parse_ordered_json(R"({"a": {"a": 1}, "b": {"a": 1}})", "file"));
  EXPECT_THAT([] { parse_ordered_json(R"({"a": 1, "b": {"c": 1, "c": 2}})", "file"); },
              ThrowsMessage<UsageError>(HasSubstr("file has the key c twice")));
}

TEST(LinearJson, RefusesWhatIsTooDeep) {
  EXPECT_NO_THROW(parse_ordered_json(std::string(64, '[') + std::string(64, ']'), "file"));
  EXPECT_THAT([] { parse_ordered_json(std::string(200'000, '['), "file"); },
              ThrowsMessage<UsageError>(HasSubstr("file is nested more than 64 levels deep")));
}

// By a look at each earlier key this would take hours.
TEST(LinearJson, ReadsAMillionKeys) {
  constexpr int kKeys = 1'000'000;
  std::string text = "{";
  for (int i = 0; i < kKeys; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":" + std::to_string(i);
  const auto json = parse_ordered_json(text + "}", "file");
  ASSERT_EQ(json.size(), kKeys);
  EXPECT_EQ(json.back(), kKeys - 1);
}

}  // namespace
}  // namespace ddpbench
