#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/estimates/holm.hpp"

namespace ddpbench {

// Of rows that are judged together: fills p_holm from `p`, and comparisons with the number of rows that were tested (p is not NaN).
template <class Row>
void adjust_family(const std::vector<Row*>& family, double Row::*p) {
  std::vector<double> values;
  for (const auto* row : family) values.push_back(row->*p);
  const auto tested = std::count_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  const auto adjusted = holm_adjusted(values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->p_holm = adjusted[i];
    family[i]->comparisons = tested;
  }
}

}  // namespace ddpbench
