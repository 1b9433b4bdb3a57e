#include "suite/estimates/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "suite/estimates/signed_rank.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

// The unsigned integers in the order of the doubles.
std::uint64_t key_of(double value) {
  constexpr auto kSign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double value_of(std::uint64_t key) {
  constexpr auto kSign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & kSign) != 0 ? key & ~kSign : ~key);
}

// Order statistics of the Walsh averages without making them: 10,000 pairs have 50 million. The range of values that holds the one
// looked for is halved, at 2n steps a time, until only a few averages per value lie in it; these are made. So O(n log n) where the
// averages are spread, and never more than a hundred times 2n steps.
class WalshAverages {
 public:
  explicit WalshAverages(std::span<const double> x) : x_(x.begin(), x.end()) { std::sort(x_.begin(), x_.end()); }

  std::size_t count() const { return x_.size() * (x_.size() + 1) / 2; }

  // k from 1.
  double ordered(std::size_t k) const { return ordered_pair(k).first; }

  double median() const {
    const auto m = count();
    if (m % 2 == 1) return ordered(m / 2 + 1);
    const auto [below, above] = ordered_pair(m / 2);
    return 0.5 * (below + above);
  }

 private:
  // The k-th and the one after it (the k-th again where it is the last).
  std::pair<double, double> ordered_pair(std::size_t k) const {
    Range range{std::nextafter(x_.front(), -std::numeric_limits<double>::infinity()), x_.back(), 0, count()};
    for (int pass = 0; range.inside() > kFew * x_.size(); ++pass) {
      const double middle = middle_of(range, pass);
      if (middle <= range.low || middle >= range.high) {  // no double lies between: they are all equal
        return {range.high, k < range.up_to_high ? range.high : first_above(range)};
      }
      const auto below = count_up_to(middle);
      if (below >= k) {
        range.high = middle;
        range.up_to_high = below;
      } else {
        range.low = middle;
        range.up_to_low = below;
      }
    }
    auto few = averages_in(range);
    const auto wanted = few.begin() + static_cast<std::ptrdiff_t>(k - range.up_to_low - 1);
    std::nth_element(few.begin(), wanted, few.end());
    const auto behind = wanted + 1;
    return {*wanted, behind != few.end() ? *std::min_element(behind, few.end()) : first_above(range)};
  }

  static constexpr std::size_t kFew = 4;

  // low < the average looked for <= high.
  struct Range {
    double low, high;
    std::size_t up_to_low, up_to_high;  // averages
    std::size_t inside() const { return up_to_high - up_to_low; }
  };

  // Halves values first. Where many averages are equal that may close in on 0 for a thousand passes: then it halves the doubles.
  static double middle_of(const Range& range, int pass) {
    constexpr int kPassesByValue = 30;
    if (pass < kPassesByValue) return std::midpoint(range.low, range.high);
    const auto low = key_of(range.low);
    return value_of(low + (key_of(range.high) - low) / 2);
  }

  double average(std::size_t i, std::size_t j) const { return 0.5 * (x_[i] + x_[j]); }

  std::vector<double> averages_in(const Range& range) const {
    std::vector<double> found;
    auto begin = x_.size();
    auto end = x_.size();
    for (std::size_t i = 0; i < x_.size() && i < end; ++i) {
      while (begin > i && average(i, begin - 1) > range.low) --begin;
      while (end > i && average(i, end - 1) > range.high) --end;
      for (auto j = std::max(begin, i); j < end; ++j) found.push_back(average(i, j));
    }
    return found;
  }

  // The smallest average above the range, or its high end where there is none.
  double first_above(const Range& range) const {
    auto first = std::numeric_limits<double>::infinity();
    auto end = x_.size();
    for (std::size_t i = 0; i < x_.size() && end >= i; ++i) {
      while (end > i && average(i, end - 1) > range.high) --end;
      if (const auto j = std::max(end, i); j < x_.size()) first = std::min(first, average(i, j));
    }
    return std::isfinite(first) ? first : range.high;
  }

  std::size_t count_up_to(double limit) const {
    std::size_t count = 0;
    auto end = x_.size();  // of the partners whose average with x_i is within the limit
    for (std::size_t i = 0; i < x_.size(); ++i) {
      while (end > i && average(i, end - 1) > limit) --end;
      if (end <= i) break;
      count += end - i;
    }
    return count;
  }

  std::vector<double> x_;
};

std::size_t exact_rank(std::size_t n, double confidence) {
  const auto probability = signed_rank_distribution(n);
  const double tail = 0.5 * (1.0 - confidence);
  double below = 0.0;
  std::size_t k = 0;
  while (below + probability[k] <= tail) below += probability[k++];
  return k;
}

std::size_t normal_rank(std::size_t n, double confidence) {
  const auto count = static_cast<double>(n);
  const double mean = count * (count + 1) / 4;
  const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
  return static_cast<std::size_t>(std::max(0.0, std::floor(mean - two_sided_normal_quantile(confidence) * deviation)));
}

double mean_of(std::span<const double> x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

double standard_error(std::span<const double> x, double mean) {
  const auto n = static_cast<double>(x.size());
  double squares = 0.0;
  for (const double value : x) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1) / n);
}

}  // namespace

Estimate hodges_lehmann(std::span<const double> x, double confidence) {
  Estimate estimate;
  estimate.n = x.size();
  if (x.empty()) return estimate;
  const WalshAverages averages(x);
  estimate.value = averages.median();
  if (x.size() < kFewestPairs) return estimate;
  const auto k = x.size() < kExactSignedRankBelow ? exact_rank(x.size(), confidence) : normal_rank(x.size(), confidence);
  if (k == 0) return estimate;
  estimate.lo = averages.ordered(k);
  estimate.hi = averages.ordered(averages.count() - k + 1);
  return estimate;
}

double hodges_lehmann_value(std::span<const double> x) { return x.empty() ? kNotMeasured : WalshAverages(x).median(); }

Estimate t_interval(std::span<const double> x, double confidence) {
  Estimate estimate;
  estimate.n = x.size();
  if (x.empty()) return estimate;
  estimate.value = mean_of(x);
  if (x.size() < 2) return estimate;
  const double half = two_sided_t_quantile(confidence, static_cast<int>(x.size()) - 1) * standard_error(x, estimate.value);
  estimate.lo = estimate.value - half;
  estimate.hi = estimate.value + half;
  return estimate;
}

double t_test_p(std::span<const double> x) {
  if (x.size() < 2) return kNotMeasured;
  const double mean = mean_of(x);
  const double error = standard_error(x, mean);
  if (error == 0) return mean == 0 ? 1 : 0;
  return two_sided_t_p(mean / error, static_cast<int>(x.size()) - 1);
}

Estimate event_cost_per_step(std::span<const double> events, double every, double confidence) {
  auto estimate = t_interval(events, confidence);
  const bool bears_bounds = events.size() >= kFewestEvents;
  estimate.value /= every;
  estimate.lo = bears_bounds ? estimate.lo / every : kNotMeasured;
  estimate.hi = bears_bounds ? estimate.hi / every : kNotMeasured;
  return estimate;
}

Estimate sum_of(const Estimate& a, const Estimate& b) {
  const double value = a.value + b.value;
  return {value, value - std::hypot(a.value - a.lo, b.value - b.lo), value + std::hypot(a.hi - a.value, b.hi - b.value),
          std::min(a.n, b.n)};
}

Estimate without_sign(const Estimate& a) { return a.lo < 0 && a.hi <= 0 ? Estimate{-a.value, -a.hi, -a.lo, a.n} : a; }

Estimate ratio_to_one(const Estimate& a, double error) {
  const double e = std::min(error, 0.9);
  const double denominator = 1 - e * e;
  const auto root = [&](double bound) {
    const double square = a.value * a.value - bound * (2 * a.value - bound) * denominator;
    return square < 0 ? 0 : std::sqrt(square);
  };
  return {a.value, (a.value - root(a.lo)) / denominator, (a.value + root(a.hi)) / denominator, a.n};
}

double quantile_of_sorted(std::span<const double> ascending, double q) {
  if (ascending.empty()) return kNotMeasured;
  const double place = q * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], place - static_cast<double>(below));
}

bool bears_quantile(std::size_t n, double q) {
  constexpr double kMiss = 0.05;
  constexpr std::size_t kForMedian = 6;
  const double inner = std::max(q, 1.0 - q);
  if (inner >= 1.0) return n > 0;
  return n >= kForMedian && std::pow(inner, static_cast<double>(n)) <= kMiss;
}

}  // namespace ddpbench
