#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "suite/base/memory_peak.hpp"
#include "suite/contract/tables/phase.hpp"
#include "suite/traces/step_partition.hpp"

namespace ddpbench {

// Is a point of a device's memory in a step: from there until the next point so many bytes are live, and `phase` (its place in
// kPhaseNames) is the innermost one; `other` where none is open.
struct MemoryPoint {
  std::int64_t offset_ns = 0;  // since the step's begin
  std::size_t phase = 0;
  std::int64_t allocated = 0, reserved = 0;
};

// Returns the points of one step by the counts of one device, in order: one where a phase begins or goes on, one for each count.
// Before the trace's first count nobody knows what lives: no point is there.
std::vector<MemoryPoint> memory_points(std::span<const MemoryCount> counts, const Timeline& timeline, Interval step);

// Leaves at most about `most` of a step's points. Of those of one phase that lie close together two stay: at the time of the first
// the largest, and the last.
std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& points, std::int64_t step_ns, std::int64_t most);

// Holds how much memory of one device was live at most in an arm's steps, bytes.
struct DeviceMemory {
  std::string device{};  // "cpu", "cuda:0"
  bool is_whole = true;  // false: what is counted was allocated since the recording began
  MemoryPeak peak{};
  std::array<std::optional<MemoryPeak>, kPhaseCount> phases{};  // nothing: the phase was never the innermost one
  // Where in its step the most was allocated, and how long that step took.
  std::size_t phase = 0;
  std::int64_t at_ns = 0, step_ns = 0;

  std::vector<MemoryPoint> typical{};  // of the step of median length, thinned
  std::int64_t typical_ns = 0;         // its length

  void add(const std::vector<MemoryPoint>& points, std::int64_t length_ns);
  void add(const DeviceMemory& other);  // of another rank; the typical step stays
};

}  // namespace ddpbench
