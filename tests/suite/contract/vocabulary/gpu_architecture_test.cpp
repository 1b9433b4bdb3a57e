#include "suite/contract/vocabulary/gpu_architecture.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(GpuArchitecture, KernelsRunWithinTheirMajorVersionAndSourceOnAllThatIsNewer) {
  EXPECT_TRUE(has_kernels_for({"sm_80"}, 86));
  EXPECT_FALSE(has_kernels_for({"sm_86"}, 80));
  EXPECT_FALSE(has_kernels_for({"sm_80"}, 90));
  EXPECT_FALSE(has_kernels_for({"sm_90a"}, 90));
  EXPECT_TRUE(has_kernels_for({"compute_80"}, 120));
  EXPECT_FALSE(has_kernels_for({"compute_80"}, 75));
}

}  // namespace
}  // namespace ddpbench
