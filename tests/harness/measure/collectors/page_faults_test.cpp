#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "harness/measure/collector_table.hpp"

namespace ddpbench {
namespace {

// So many pages that the process never had: each is a fault.
void touch_fresh_pages(std::size_t pages) {
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, pages * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page_bytes, MADV_NOHUGEPAGE);
  for (std::size_t page = 0; page < pages; ++page) static_cast<volatile char*>(memory)[page * page_bytes] = 1;
  munmap(memory, pages * page_bytes);
}

TEST(PageFaults, AreThoseOfAnArmsTimedSteps) {
  constexpr std::size_t kPages = 10'000;
  constexpr std::int64_t kBlockSteps = 4;
  const auto lines = collected_metrics();
  const auto line =
      std::find_if(lines.begin(), lines.end(), [](const auto& metric) { return metric.metric.name == "page_faults_per_step"; });
  ASSERT_NE(line, lines.end());
  const auto faults = line->make({.arms = 2, .block_steps = kBlockSteps});
  touch_fresh_pages(kPages);
  faults->before_timed_steps(1);
  touch_fresh_pages(kPages);
  faults->after_timed_steps(1);
  touch_fresh_pages(kPages);
  EXPECT_EQ(faults->of_arm(0), 0);
  EXPECT_GE(faults->of_arm(1), kPages / kBlockSteps);
  EXPECT_LT(faults->of_arm(1), 2 * kPages / kBlockSteps) << "what stood before and behind them is in it";
}

}  // namespace
}  // namespace ddpbench
