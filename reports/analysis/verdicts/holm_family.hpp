#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "suite/estimates/holm.hpp"

namespace ddpbench {

// Fills `adjusted` from `p`, by Holm, for rows that are judged together; they may be the same member. NaN: the row was not
// tested.
template <class Row>
void adjust_family(const std::vector<Row*>& family, double Row::*p, double Row::*adjusted) {
  std::vector<double> values;
  for (const auto* row : family) values.push_back(row->*p);
  const auto by_holm = holm_adjusted(values);
  for (std::size_t i = 0; i < family.size(); ++i) family[i]->*adjusted = by_holm[i];
}

// Stores in each row how many rows of the family were tested.
template <class Row>
void count_family(const std::vector<Row*>& family, double Row::*p, std::int64_t Row::*comparisons) {
  const auto tested = std::count_if(family.begin(), family.end(), [p](const Row* row) { return !std::isnan(row->*p); });
  for (auto* row : family) row->*comparisons = tested;
}

}  // namespace ddpbench
