#include "harness/measure/process/progress_line.hpp"

#include <algorithm>
#include <cstdio>

#include "harness/probe/clock_readings.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {

void ProgressLine::say(const std::string& stage, std::int64_t super_blocks, double elapsed_s) {
  constexpr std::int64_t kInterval_ns = 1'000'000'000;
  own_heartbeat().super_blocks.store(super_blocks, std::memory_order_relaxed);
  if (!speaks_ || (stage == last_stage_ && wall_ns() - last_said_ns_ < kInterval_ns)) return;
  last_stage_ = stage;
  last_said_ns_ = wall_ns();
  std::printf("@progress stage=%s super_blocks=%ld elapsed=%.1f max_seconds=%g\n", stage.c_str(), static_cast<long>(super_blocks),
              elapsed_s, std::max(spec_.protocol.max_seconds_per_launch, expected_s_));
  std::fflush(stdout);
}

}  // namespace ddpbench
