#include "suite/contract/json_error_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ddpbench {
namespace {

TEST(JsonWords, AreWithoutTheLibrarysName) {
  try {
    nlohmann::json("text").get<int>();
    FAIL() << "read";
  } catch (const nlohmann::json::exception& error) {
    EXPECT_EQ(json_error_text(error), "type must be number, but is string");
  }
  EXPECT_EQ(json_error_text(std::runtime_error("no such file")), "no such file");
}

}  // namespace
}  // namespace ddpbench
