#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Names what a step's wall time goes into (docs/measurement.md, "Where a step goes"). They add up to the mean step.
enum class StepPart : std::size_t { kCompute, kCommunication, kSkew, kData, kHost };
inline constexpr std::size_t kStepParts = 5;
inline constexpr std::array<const char*, kStepParts> kStepPartNames{"compute", "exposed communication",
                                                                    "waiting for a slower rank", "data", "host"};
constexpr std::size_t index_of(StepPart part) { return static_cast<std::size_t>(part); }

// A step that is compute by more than this share has its bottleneck there.
inline constexpr double kMostlyCompute = 0.8;

// Holds one part of an arm's mean step over all ranks and timed steps of a cell. Bounds: Student's over launches, of one launch over
// its blocks; no lower one is below 0.
struct StepPartRow {
  std::string cell_id, arm, part;
  Estimate ms;
  double share = kNotMeasured;  // of the step, from 0 to 1
  Estimate step_ms;             // mean; where a device computes: median on its clock
  bool is_bottleneck = false;   // of the arm; several parts where they cannot be told apart
  Estimate saves_ms;            // by which the step would be shorter at most without the part; of compute: without all others
  std::string measured_by;      // the arm that shows it; "": the part itself is the bound
  std::string slowest_rank;     // of waiting for a slower rank: the one that has most to do in three quarters of the blocks
  std::int64_t launches = 0;
  Estimate without_core_ms;  // of step_ms, in whichever parts: main threads could run and had no core; NaN: not read
};

// Makes the rows of every arm whose phases and waits were stamped: all parts in their order, without communication and skew on one
// rank. Where a device computes, the host's stamps show no part: there is one row, exposed communication, by the arm with an ideal
// network; none without it.
template <>
std::vector<StepPartRow> make_finding(const Findings& findings);

}  // namespace ddpbench
