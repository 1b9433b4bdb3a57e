#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ddpbench {

// Returns the time left as poll(2) takes it: milliseconds, rounded up; 0 after the deadline.
inline int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
}

}  // namespace ddpbench
