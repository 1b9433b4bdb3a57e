#pragma once
#include <cstddef>
#include <string>

namespace ddpbench {

// How well sizes were predicted that were held out one after the other: findings/predictions.hpp makes it.
struct HeldOutScore {
  std::size_t predicted = 0, inside = 0;           // their interval
  double largest_percent = 0, median_percent = 0;  // by which they were missed, without the sign
};

// "Held out one after the other, 4 measured sizes were missed by 3.1 % at most, 1.2 % in the median; 4 of them lie within their interval.\n"; what
// is missing where there is none.
std::string score_words(const HeldOutScore& score);

}  // namespace ddpbench
