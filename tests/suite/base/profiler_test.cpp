#include "suite/base/profiler.hpp"

#include <gtest/gtest.h>

#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

TEST(Profiler, IsNamedByWhatBringsItIn) {
  EXPECT_EQ(profiler_of({{"NSYS_PROFILING_SESSION_ID", "4711"}}), "nsys");
  EXPECT_EQ(profiler_of({{"NVTX_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so"}}), "nsys");
  EXPECT_EQ(profiler_of({{"CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so"}}), "nsys");
  EXPECT_EQ(profiler_of({{"NVTX_INJECTION64_PATH", "/opt/recorder.so"}}), "an NVTX tool (/opt/recorder.so)");
  EXPECT_EQ(profiler_of({{"NVTX_INJECTION32_PATH", "recorder.so"}}), "an NVTX tool (recorder.so)");
  EXPECT_EQ(profiler_of({{"CUDA_INJECTION64_PATH", "/opt/tool.so"}, {"KINETO_CONFIG", "/etc/k"}}), "a CUDA tool (/opt/tool.so)");
  EXPECT_EQ(profiler_of({{"KINETO_USE_DAEMON", "1"}}), "kineto");
  EXPECT_EQ(profiler_of({{"KINETO_CONFIG", "/etc/libkineto.conf"}}), "kineto");
}

TEST(Profiler, ThereIsNoneWhereOnlyItsSettingsAre) {
  EXPECT_EQ(profiler_of({}), "");
  EXPECT_EQ(profiler_of({{"NSYS_ROOT", "/opt/nsys"}, {"NSYS_NVTX_PROFILER_REGISTER_ONLY", "0"}, {"KINETO_LOG_LEVEL", "3"}}), "");
  EXPECT_EQ(profiler_of({{"NVTX_INJECTION64_PATH", ""}, {"KINETO_USE_DAEMON", ""}}), "");
}

TEST(Profiler, OfThisProcessIsFoundByItsEnvironment) {
  EXPECT_EQ(own_profiler(), "");
  const test::ScopedVariable session("NSYS_PROFILING_SESSION_ID", "4711");
  EXPECT_EQ(own_profiler(), "nsys") << "the session's number is no fact, and tells";
}

}  // namespace
}  // namespace ddpbench
