#include "suite/traces/interval_set.hpp"

#include <algorithm>

namespace ddpbench {

IntervalSet united(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  IntervalSet set;
  for (const auto& one : intervals) {
    if (one.end <= one.begin) continue;
    if (!set.empty() && one.begin <= set.back().end) {
      set.back().end = std::max(set.back().end, one.end);
    } else {
      set.push_back(one);
    }
  }
  return set;
}

IntervalSet within(const IntervalSet& set, Interval window) {
  IntervalSet cut;
  auto at = std::partition_point(set.begin(), set.end(), [&](const Interval& one) { return one.end <= window.begin; });
  for (; at != set.end() && at->begin < window.end; ++at)
    cut.push_back({std::max(at->begin, window.begin), std::min(at->end, window.end)});
  return cut;
}

IntervalSet without(const IntervalSet& from, const IntervalSet& taken) {
  IntervalSet left;
  auto next = taken.begin();
  for (auto [begin, end] : from) {
    while (next != taken.end() && next->end <= begin) ++next;
    for (auto at = next; at != taken.end() && at->begin < end; ++at) {
      if (at->begin > begin) left.push_back({begin, at->begin});
      begin = at->end;
    }
    if (begin < end) left.push_back({begin, end});
  }
  return left;
}

std::int64_t length(const IntervalSet& set) {
  std::int64_t sum = 0;
  for (const auto& one : set) sum += one.end - one.begin;
  return sum;
}

}  // namespace ddpbench
