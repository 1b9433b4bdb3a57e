#include "suite/traces/step_memory.hpp"

#include <algorithm>

namespace ddpbench {
namespace {

MemoryPeak& made(std::optional<MemoryPeak>& peak) { return peak ? *peak : peak.emplace(); }

// Walks over a step's phases in their order, and takes the counts of each on its way.
class PointMaker {
 public:
  PointMaker(std::span<const MemoryCount> counts, std::int64_t begin) : begin_(begin), end_(counts.end()) {
    next_ = std::partition_point(counts.begin(), counts.end(), [&](const MemoryCount& count) { return count.time < begin; });
    if (next_ != counts.begin()) live_ = &*std::prev(next_);
  }

  void go_on(Interval time, std::size_t phase) {
    if (live_ != nullptr) add(time.begin, phase);
    for (; next_ != end_ && next_->time < time.end; ++next_) {
      live_ = &*next_;
      add(next_->time, phase);
    }
  }

  std::vector<MemoryPoint> take() { return std::move(points_); }

 private:
  void add(std::int64_t time, std::size_t phase) { points_.push_back({time - begin_, phase, live_->allocated, live_->reserved}); }

  std::int64_t begin_;
  std::span<const MemoryCount>::iterator next_, end_;
  const MemoryCount* live_ = nullptr;  // the last count; null: there is none yet
  std::vector<MemoryPoint> points_;
};

}  // namespace

std::vector<MemoryPoint> memory_points(std::span<const MemoryCount> counts, const Timeline& timeline, Interval step) {
  PointMaker maker(counts, step.begin);
  auto until = step.begin;
  for (const auto& [time, phase] : phases_within(timeline, step)) {
    if (time.begin > until) maker.go_on({until, time.begin}, index_of(Phase::kOther));
    maker.go_on(time, phase);
    until = time.end;
  }
  if (until < step.end) maker.go_on({until, step.end}, index_of(Phase::kOther));
  return maker.take();
}

std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& points, std::int64_t step_ns, std::int64_t most) {
  const auto width_ns = std::max<std::int64_t>(1, 2 * step_ns / most);
  std::vector<MemoryPoint> kept;
  for (std::size_t first = 0, next = 0; first < points.size(); first = next) {
    auto largest = points[first];
    for (; next < points.size() && points[next].phase == largest.phase &&
           points[next].offset_ns / width_ns == largest.offset_ns / width_ns;
         ++next) {
      largest.allocated = std::max(largest.allocated, points[next].allocated);
      largest.reserved = std::max(largest.reserved, points[next].reserved);
    }
    kept.push_back(largest);
    if (next > first + 1) kept.push_back(points[next - 1]);
  }
  return kept;
}

void DeviceMemory::add(const std::vector<MemoryPoint>& points, std::int64_t length_ns) {
  for (const auto& point : points) {
    if (point.allocated > peak.allocated || step_ns == 0) {
      phase = point.phase;
      at_ns = point.offset_ns;
      step_ns = length_ns;
    }
    peak.raise_to({point.allocated, point.reserved});
    made(phases[point.phase]).raise_to({point.allocated, point.reserved});
  }
}

void DeviceMemory::add(const DeviceMemory& other) {
  if (other.peak.allocated > peak.allocated || step_ns == 0) {
    phase = other.phase;
    at_ns = other.at_ns;
    step_ns = other.step_ns;
  }
  is_whole = is_whole && other.is_whole;
  peak.raise_to(other.peak);
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    if (other.phases[i]) made(phases[i]).raise_to(*other.phases[i]);
  }
}

}  // namespace ddpbench
