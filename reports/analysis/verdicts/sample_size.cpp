#include "reports/analysis/verdicts/sample_size.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/estimates/estimate.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

constexpr double kFewestPairsOfALaunch = 40;     // before which no launch is looked at
constexpr double kMostPairsOfALaunch = 100'000;  // where no cap is known
constexpr double kMostLaunchesToSettle = 10'000;

// Bounds a launch's pairs.
double most_pairs(const VarianceComponents& s) {
  return std::isfinite(s.most_pairs) ? std::max(kFewestPairsOfALaunch, std::floor(s.most_pairs)) : kMostPairsOfALaunch;
}

double cheapest_pairs(const VarianceComponents& s) {
  const double cheapest = s.pair_us / s.launch_us * std::sqrt(s.set_up_s / s.super_block_s);
  const double most = most_pairs(s);
  return std::ceil(std::clamp(std::isfinite(cheapest) ? cheapest : most, kFewestPairsOfALaunch, most));
}

}  // namespace

SampleSizePlan cheapest(const VarianceComponents& scatter, double half_width_us) {
  if (!(half_width_us > 0) || !(scatter.pair_us >= 0)) return {};
  SampleSizePlan plan;
  const auto with_minutes = [&] {
    plan.minutes = plan.launches * (scatter.set_up_s + plan.pairs * scatter.super_block_s) / 60;
    return plan;
  };
  const double z = two_sided_normal_quantile(scatter.confidence);
  const bool has_one_launch = std::isnan(scatter.launch_us);
  plan.takes_launches_as_equal = has_one_launch;
  if (has_one_launch) {
    plan.launches = 1;
    plan.pairs = std::ceil(std::max(kFewestPairsOfALaunch, std::pow(z * scatter.pair_us / half_width_us, 2)));
    if (plan.pairs <= most_pairs(scatter)) return with_minutes();
  }
  const double launch_us = has_one_launch ? 0 : scatter.launch_us;
  plan.pairs = cheapest_pairs(scatter);
  const double variance = launch_us * launch_us + scatter.pair_us * scatter.pair_us / plan.pairs;
  const double fewest =
      std::floor(z * z * variance / (half_width_us * half_width_us));  // Student's quantile is larger: begin below
  for (plan.launches = std::max(2.0, fewest); plan.launches < kMostLaunchesToSettle; ++plan.launches) {
    const double t = two_sided_t_quantile(scatter.confidence, static_cast<int>(plan.launches) - 1);
    if (t * std::sqrt(variance / plan.launches) <= half_width_us) return with_minutes();
  }
  return {};
}

std::string settling_phrase(const SampleSizePlan& settling) {
  if (!settling.is_known()) return "";
  const auto launches = counted(static_cast<std::int64_t>(settling.launches), "launch");
  const auto pairs = std::to_string(std::llround(settling.pairs));
  return "about " + launches + " of " + pairs + " pairs" +
         (std::isnan(settling.minutes) ? "" : " (" + minutes_text(settling.minutes) + ")") + " would settle it" +
         (settling.takes_launches_as_equal ? ", if launches are alike" : "");
}

}  // namespace ddpbench
