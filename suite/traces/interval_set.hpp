#pragma once
#include <cstdint>
#include <vector>

namespace ddpbench {

// Is the time from `begin` to `end`, without the end; in nanoseconds.
struct Interval {
  std::int64_t begin = 0, end = 0;
  bool operator==(const Interval&) const = default;
};

// Holds intervals in order that neither overlap nor touch nor are empty; what the functions below take and return.
using IntervalSet = std::vector<Interval>;

// Returns all instants that lie in any of the intervals, which may stand in any order.
IntervalSet united(std::vector<Interval> intervals);

// Returns the instants that lie in `set` and in `window`. Looks only at the intervals of the window.
IntervalSet within(const IntervalSet& set, Interval window);

// Returns the instants that lie in `from` and not in `taken`.
IntervalSet without(const IntervalSet& from, const IntervalSet& taken);

// Returns how long all of it lasts, in nanoseconds.
std::int64_t length(const IntervalSet& set);

}  // namespace ddpbench
