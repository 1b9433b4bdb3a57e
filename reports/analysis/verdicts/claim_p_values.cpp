#include "reports/analysis/verdicts/claim_p_values.hpp"

#include <algorithm>
#include <cmath>

#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

// A quantity with the periodic work on top: where there is none, its own tests; else by its interval, each side a normal law's.
class Whole {
 public:
  Whole(const Quantity& quantity, const Estimate& periodic) : quantity_(quantity), has_more_(!std::isnan(periodic.value)) {
    if (has_more_ && !quantity.empty()) sum_ = sum_of(quantity.estimate(), periodic);
  }

  double p_above(double bound) const {
    if (!has_more_) return quantity_.p_above(bound);
    return t_p_above((sum_.value - bound) / ((sum_.value - sum_.lo) / two_sided_normal_quantile(quantity_.confidence())), 0);
  }
  double p_below(double bound) const {
    if (!has_more_) return quantity_.p_below(bound);
    return t_p_above((bound - sum_.value) / ((sum_.hi - sum_.value) / two_sided_normal_quantile(quantity_.confidence())), 0);
  }
  double p_outside(double margin) const { return std::max(p_above(-margin), p_below(margin)); }

 private:
  const Quantity& quantity_;
  bool has_more_;
  Estimate sum_;
};

// Several chances to be wrong add up; NaN stays NaN.
double times(double ways, double p) { return ways * p > 1 ? 1 : ways * p; }

// NaN of either is NaN.
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? kNotMeasured : std::max(a, b); }

// What cannot be tested (NaN) says nothing.
double smaller(double a, double b) { return std::fmin(a, b); }

// Against the reference, and against the A/A arm where there is one.
double p_slower(const Quantity& over_reference, const Quantity& over_aa, const Estimate& periodic) {
  const double p = Whole(over_reference, periodic).p_above(0);
  return over_aa.empty() ? p : larger(p, Whole(over_aa, periodic).p_above(0));
}

double p_faster(const Quantity& over_reference, const Quantity& over_aa, const Estimate& periodic) {
  const double p = Whole(over_reference, periodic).p_below(0);
  return over_aa.empty() ? p : larger(p, Whole(over_aa, periodic).p_below(0));
}

double p_slower_on_a_rank(const Comparison& comparison) {
  const auto& ranks = comparison.over_reference.ranks;
  const auto& over_aa = comparison.over_aa.ranks;
  double least = kNotMeasured;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    least = smaller(least, p_slower(ranks[rank], rank < over_aa.size() ? over_aa[rank] : Quantity(), {}));
  }
  return times(static_cast<double>(ranks.size()), least);
}

}  // namespace

double p_not_above_zero(const Quantity& quantity, const Estimate& periodic) {
  return quantity.empty() ? kNotMeasured : Whole(quantity, periodic).p_above(0);
}
double p_not_below_zero(const Quantity& quantity, const Estimate& periodic) {
  return quantity.empty() ? kNotMeasured : Whole(quantity, periodic).p_below(0);
}

double ClaimTests::difference() const { return times(2, smaller(slower, faster)); }
double ClaimTests::budget() const { return smaller(within_budget, beyond_budget); }

ClaimTests test_claims(const Comparison& comparison, const Estimate& periodic, const Bounds& bounds) {
  const auto& [centre, mean, ranks] = comparison.over_reference;
  const auto& over_aa = comparison.over_aa;
  ClaimTests tests;
  if (centre.empty()) return tests;
  const double ways = ranks.empty() ? 2 : 3;
  const auto by_mean = p_slower(mean, over_aa.mean, periodic);
  const auto by_centre = p_slower(centre, over_aa.centre, periodic);
  tests.slower = times(ways, smaller(smaller(by_centre, by_mean), p_slower_on_a_rank(comparison)));
  tests.faster = times(ways, p_faster(centre, over_aa.centre, periodic));
  const Whole whole(centre, periodic);
  const Whole whole_mean(mean, periodic);
  tests.equivalent = larger(whole.p_outside(bounds.margin_s), whole_mean.p_outside(bounds.margin_s));
  for (const auto& rank : ranks) tests.equivalent = larger(tests.equivalent, Whole(rank, {}).p_outside(bounds.margin_s));
  if (std::isnan(bounds.budget_s)) return tests;
  tests.within_budget = larger(whole.p_below(bounds.budget_s), whole_mean.p_below(bounds.budget_s));
  tests.beyond_budget = times(2, smaller(whole.p_above(bounds.budget_s), whole_mean.p_above(bounds.budget_s)));
  return tests;
}

Estimate largest_rank(const Difference& difference, double confidence) {
  Estimate found;
  for (std::size_t rank = 0; rank < difference.ranks.size(); ++rank) {
    const auto value = difference.ranks[rank].estimate().value;
    if (!(std::fabs(value) <= std::fabs(found.value)) && std::isfinite(value)) {
      found = difference.ranks[rank].estimate(1 - (1 - confidence) / static_cast<double>(difference.ranks.size()));
      found.n = rank;
    }
  }
  return found;
}

}  // namespace ddpbench
