#include "harness/measure/process/tensor_memory.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "harness/api/torch.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kFloats = 1 << 20;
constexpr std::int64_t kBytes = 4 * kFloats;
constexpr std::int64_t kPadding = 4'096;  // of each: an allocator gives a little more than it is asked for

// One after the other: what is counted is the process's.
TEST(TensorMemory, ThePeakIsOfTensorsThatLiveAtOneTime) {
  const auto before = torch::zeros({kFloats});  // made before: not counted, and freed without harm
  EXPECT_EQ(peak_host_tensor_bytes(), 0);
  count_tensor_memory();
  { const auto first = torch::ones({kFloats}) + before; }
  const auto peak = peak_host_tensor_bytes();
  EXPECT_GE(peak, 2 * kBytes);  // the ones and the sum
  EXPECT_LE(peak, 2 * (kBytes + kPadding));

  { const auto later = torch::ones({kFloats}); }
  EXPECT_EQ(peak_host_tensor_bytes(), peak);

  auto grown = torch::ones({kFloats});
  grown.resize_({3 * kFloats});  // the old memory lives until its content is copied
  EXPECT_GE(peak_host_tensor_bytes(), 4 * kBytes);
  EXPECT_EQ(grown[kFloats - 1].item<float>(), 1);
  grown.reset();

  std::thread([] { EXPECT_EQ(torch::ones({5 * kFloats}).sum().item<float>(), 5 * kFloats); }).join();
  EXPECT_GE(peak_host_tensor_bytes(), 5 * kBytes);
  EXPECT_LE(peak_host_tensor_bytes(), 5 * kBytes + 2 * kPadding);
}

}  // namespace
}  // namespace ddpbench
