#pragma once
#include <cstdint>
#include <string>

#include "suite/contract/launch/launch_spec.hpp"

namespace ddpbench {

// Tells the launcher how far rank 0 is: "@progress stage=measure super_blocks=12 elapsed=3.4 max_seconds=30" on standard output,
// at most once a second and never inside a block.
class ProgressLine {
 public:
  ProgressLine(std::int64_t rank, const LaunchSpec& spec) : speaks_(rank == 0), spec_(spec) {}
  void say(const std::string& stage, std::int64_t super_blocks, double elapsed_s);

  // Announces that the measurement takes so long in all, where that is more than the launch's cap.
  void expect(double seconds) { expected_s_ = seconds; }

 private:
  bool speaks_;
  const LaunchSpec& spec_;
  std::string last_stage_;
  std::int64_t last_said_ns_ = 0;
  double expected_s_ = 0;
};

}  // namespace ddpbench
