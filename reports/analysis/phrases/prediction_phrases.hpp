#pragma once
#include <cstddef>
#include <string>

namespace ddpbench {

// Says how well sizes were predicted that were held out one after the other: findings/sizes/predictions.hpp makes it.
struct HeldOutScore {
  std::size_t predicted = 0, inside = 0;           // their interval
  double largest_percent = 0, median_percent = 0;  // by which they were missed, without the sign
};

// Where a measured size was missed by more than this, percent, a prediction begins with a warning.
inline constexpr double kMostMissPercent = 25;

// Returns "4 measured sizes, each predicted from the others, were wrong by at most 3.1 %, by 1.2 % in the median; 4 of 4 fell
// within their interval.\n", behind the warning where it is due; says what is missing where there is none.
std::string score_phrase(const HeldOutScore& score);

}  // namespace ddpbench
