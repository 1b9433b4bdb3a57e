#include "suite/estimates/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "suite/base/not_measured.hpp"

namespace ddpbench {

double correlation_with_order(std::span<const double> values) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  const double middle = 0.5 * (static_cast<double>(values.size()) - 1);
  double of_ranks = 0;
  double of_places = 0;
  double together = 0;
  for (std::size_t begin = 0; begin < places.size();) {
    auto end = begin;
    while (end < places.size() && values[places[end]] == values[places[begin]]) ++end;
    const double rank = 0.5 * static_cast<double>(begin + end - 1) - middle;
    for (auto i = begin; i < end; ++i) {
      const double place = static_cast<double>(places[i]) - middle;
      of_ranks += rank * rank;
      of_places += place * place;
      together += rank * place;
    }
    begin = end;
  }
  return of_ranks > 0 ? together / std::sqrt(of_ranks * of_places) : kNotMeasured;
}

}  // namespace ddpbench
