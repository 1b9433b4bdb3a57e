#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddpbench {

// Says where a launch stands, as rank 0 says on a line of its output:
// "@progress stage=measure super_blocks=12 elapsed=3.4 max_seconds=30".
struct RankProgress {
  std::string stage;  // warmup, check, measure
  std::int64_t super_blocks = 0;
  double elapsed_seconds = 0;  // of this stage; behind the measurement, since it began
  double max_seconds = 0;      // 0: not known
};

// Parses such a line; nothing where it is none. Passes over keys that are unknown, or hold no number.
std::optional<RankProgress> parse_progress(std::string_view line);

}  // namespace ddpbench
