#include "suite/runs/utc_time.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(UtcTime, IsWrittenForPeopleAndForFileNames) {
  const std::chrono::system_clock::time_point time{std::chrono::seconds(1'746'100'805)};
  EXPECT_EQ(utc_text(time), "2025-05-01T12:00:05Z");
  EXPECT_EQ(utc_name(time), "20250501T120005Z");
}

}  // namespace
}  // namespace ddpbench
