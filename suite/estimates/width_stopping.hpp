#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "suite/base/not_measured.hpp"

namespace ddpbench {

// Is the ±m of a verdict: a share of the reference's step as the user waits for it, but never less than `us`
// (docs/measurement.md, "Verdicts").
struct Margin {
  double percent = 0.5;
  double us = 2;
  double seconds(double step_s) const;
};

// Holds what a check found. NaN: an arm with fewer than kFewestPairsToStop pairs has no width yet.
struct WidthCheck {
  std::vector<double> half_widths_s;  // per arm, in the caller's order
  double wanted_s = kNotMeasured;     // each must be below this: m/4
  bool narrow_enough() const;         // false where the caller named no arm
};

// Stops a launch as soon as the 95 % Hodges-Lehmann interval of every arm's paired differences, in seconds, has a half-width
// below m/4 (docs/measurement.md, "Stopping"). p decides nothing here: whoever looks at p after every few pairs until it is small
// calls 28 % of equal arms different. The caller names the arms: `raw_again` too, but not the reference, and not `injected`,
// whose width follows the delay's own scatter.
class WidthStopping {
 public:
  // Is the number of super-blocks before the first check, and of pairs with which an arm takes part.
  static constexpr std::size_t kFewestPairsToStop = 40;

  explicit WidthStopping(Margin margin) : margin_(margin) {}

  // Returns whether a check is due after so many super-blocks: 40, 60, …, 400, then whenever there are a twentieth more, so that
  // the checks of a whole launch cost O(n log n) per doubling. The same on every rank.
  static bool is_due(std::size_t super_blocks);

  // Takes one value per super-block, all series equally long: the block's median step in seconds, slowest rank; NaN where a block
  // has none. A super-block is a pair for an arm where it has both values. `step_s`: the reference's step as the user waits for
  // it, of which the margin is a share; CPU time may be a small part of it.
  WidthCheck check(std::span<const double> reference_s, std::span<const std::vector<double>> arms_s, double step_s) const;

 private:
  Margin margin_;
};

}  // namespace ddpbench
