#pragma once
#include <cstddef>

#include "suite/base/not_measured.hpp"

namespace ddpbench {

// Holds a location with its two-sided interval. NaN: not measured; bounds are NaN too where there are too few values for the
// confidence.
struct Estimate {
  double value = kNotMeasured;
  double lo = kNotMeasured;
  double hi = kNotMeasured;
  std::size_t n = 0;  // values in it; 0: not said, as in what was read from a file

  friend bool operator==(const Estimate&, const Estimate&) = default;
};

// Returns the value and the bounds as `f` maps them, which may not fall: into another unit, from a logarithm.
template <class F>
Estimate mapped(const Estimate& a, const F& f) {
  return {f(a.value), f(a.lo), f(a.hi), a.n};
}

}  // namespace ddpbench
