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
  EXPECT_EQ(take_peak_of_host_tensors(), 0);
  count_tensor_memory();
  { const auto first = torch::ones({kFloats}) + before; }
  const auto peak = take_peak_of_host_tensors();
  EXPECT_GE(peak, 2 * kBytes);  // the ones and the sum
  EXPECT_LE(peak, 2 * (kBytes + kPadding));
  EXPECT_LE(take_peak_of_host_tensors(), kPadding) << "they were dead by then";

  auto grown = torch::ones({kFloats});
  grown.resize_({3 * kFloats});  // the old memory lives until its content is copied
  EXPECT_GE(take_peak_of_host_tensors(), 4 * kBytes);
  const auto kept = take_peak_of_host_tensors();
  EXPECT_GE(kept, 3 * kBytes) << "what lives on counts again";
  EXPECT_LE(kept, 3 * kBytes + kPadding);
  EXPECT_EQ(grown[kFloats - 1].item<float>(), 1);
  grown.reset();
  take_peak_of_host_tensors();

  std::thread([] { EXPECT_EQ(torch::ones({5 * kFloats}).sum().item<float>(), 5 * kFloats); }).join();
  const auto of_thread = take_peak_of_host_tensors();
  EXPECT_GE(of_thread, 5 * kBytes);
  EXPECT_LE(of_thread, 5 * kBytes + 2 * kPadding);
}

}  // namespace
}  // namespace ddpbench
