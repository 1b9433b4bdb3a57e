#include "suite/estimates/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suite/base/not_measured.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

struct RankSums {
  double positive = 0;
  double tie_cubes = 0;  // sum of t^3 - t over groups of equal |x|
};

// Equal magnitudes share the mean of their ranks. `x` ascends in |x|.
RankSums rank_sums(std::span<const double> x) {
  RankSums sums;
  for (std::size_t begin = 0; begin < x.size();) {
    auto end = begin;
    std::size_t positive = 0;
    for (; end < x.size() && std::fabs(x[end]) == std::fabs(x[begin]); ++end) positive += x[end] > 0 ? 1 : 0;
    const auto tied = static_cast<double>(end - begin);
    sums.positive += static_cast<double>(positive) * 0.5 * static_cast<double>(begin + 1 + end);
    sums.tie_cubes += tied * tied * tied - tied;
    begin = end;
  }
  return sums;
}

// Both tails of the statistic: P(T+ >= t) and P(T+ <= t).
struct Tails {
  double above = 1, below = 1;
};

Tails exact_tails(std::size_t n, double positive) {
  const auto probability = signed_rank_distribution(n);
  const auto t = static_cast<std::ptrdiff_t>(positive);
  return {std::accumulate(probability.begin() + t, probability.end(), 0.0),
          std::accumulate(probability.begin(), probability.begin() + t + 1, 0.0)};
}

Tails normal_tails(std::size_t n, const RankSums& sums) {
  const auto count = static_cast<double>(n);
  const double mean = count * (count + 1) / 4;
  const double variance = count * (count + 1) * (2 * count + 1) / 24 - sums.tie_cubes / 48;
  const double z = (sums.positive - mean) / std::sqrt(variance);
  const double outer = 0.5 * two_sided_normal_p(z);
  return z > 0 ? Tails{outer, 1 - outer} : Tails{1 - outer, outer};
}

// About `middle`; both 1 where no value differs from it.
Tails tails_about(std::span<const double> x, double middle) {
  std::vector<double> ranked;
  for (const double value : x) {
    if (value != middle) ranked.push_back(value - middle);
  }
  if (ranked.empty()) return {};
  std::sort(ranked.begin(), ranked.end(), [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  const auto sums = rank_sums(ranked);
  const bool exact = ranked.size() < kExactSignedRankBelow && sums.tie_cubes == 0;
  return exact ? exact_tails(ranked.size(), sums.positive) : normal_tails(ranked.size(), sums);
}

}  // namespace

// Each rank 1 … n is positive or not, with equal chance.
std::vector<double> signed_rank_distribution(std::size_t n) {
  std::vector<double> probability(n * (n + 1) / 2 + 1, 0.0);
  probability[0] = 1.0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t s = probability.size(); s-- > 0;) {
      probability[s] = 0.5 * (probability[s] + (s >= rank ? probability[s - rank] : 0.0));
    }
  }
  return probability;
}

double signed_rank_p(std::span<const double> x) {
  if (x.empty()) return kNotMeasured;
  const auto tails = tails_about(x, 0);
  return std::min(1.0, 2 * std::min(tails.above, tails.below));
}

double signed_rank_p_above(std::span<const double> x, double bound) {
  return x.empty() ? kNotMeasured : tails_about(x, bound).above;
}

}  // namespace ddpbench
