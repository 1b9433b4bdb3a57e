#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "suite/base/not_measured.hpp"

namespace ddpbench {

// The ±m of a verdict: a share of the reference's step, but never less than `us` (MEASUREMENT 5).
struct Margin {
  double percent = 0.5;
  double us = 2;
  double seconds(double reference_s) const;
};

// What a check found. NaN: an arm with fewer than kFewestPairsToStop pairs has no width yet.
struct WidthCheck {
  std::vector<double> half_widths_s;  // per arm, in the caller's order
  double wanted_s = kNotMeasured;     // each must be below this: m/4
  bool narrow_enough() const;         // false without an arm: nothing was asked
};

// When a launch has measured enough: as soon as the 95 % Hodges-Lehmann interval of every arm's paired differences in seconds has a
// half-width below m/4. Never on p: looking at p after every few pairs until it is small calls 28 % of equal arms different. The
// caller names the arms: all of a family but its reference and those delayed on purpose (whose width follows the delay's own scatter), the
// A/A control included.
class WidthStopping {
 public:
  // Checks start here, and an arm takes part from so many pairs on.
  static constexpr std::size_t kFewestPairsToStop = 40;

  explicit WidthStopping(Margin margin) : margin_(margin) {}

  // Whether to ask after so many super-blocks: 40, 60, …, 400, then every twentieth part more, which keeps a whole launch at
  // O(n log n) per doubling. The same on every rank.
  static bool is_due(std::size_t super_blocks);

  // One value per super-block, all series equally long: the block's median step in seconds, slowest rank; NaN where a block has
  // none. A super-block is a pair for an arm where it has both values.
  WidthCheck check(std::span<const double> reference_s, std::span<const std::vector<double>> arms_s) const;

 private:
  Margin margin_;
};

}  // namespace ddpbench
