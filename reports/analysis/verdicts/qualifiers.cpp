#include "reports/analysis/verdicts/qualifiers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

constexpr double kWiderScatter = 1.25;  // times the reference's

double two_sided_p(const Quantity& quantity) { return 2 * std::min(quantity.p_above(0), quantity.p_below(0)); }

std::string us_phrase(double seconds) { return signed_text(1e6 * seconds) + " us"; }

std::string aa_offset(const OverheadRow& row, const Comparison& /*comparison*/) {
  if (!(row.aa_lo > 0 || row.aa_hi < 0)) return "";
  return "the A/A arm is off by " + us_interval_text(row.aa_lo, row.aa_hi) + ": every claim is smaller by its farther bound";
}

std::string invalid_times(const OverheadRow& row, const Comparison& /*comparison*/) {
  if (!(row.invalid_percent > 0)) return "";
  return number_text(row.invalid_percent, 2) +
         " % of the step times are not finite and above 0, or missing on a rank; their pairs are left out";
}

// Where the estimate without them leaves the interval.
std::string disturbed(const OverheadRow& row, const Comparison& /*comparison*/) {
  const bool moves = row.undisturbed_us < row.overhead_us.lo || row.undisturbed_us > row.overhead_us.hi;
  if (!(row.disturbed_percent > 0) || !moves) return "";
  return "without the " + number_text(row.disturbed_percent, 2) + " % of pairs that others disturbed, " +
         signed_text(row.undisturbed_us) + " us";
}

std::string trend(const OverheadRow& /*row*/, const Comparison& comparison) {
  const auto& side = comparison.side;
  if (!(two_sided_normal_p(side.trend_z) < kQualifierSignificance)) return "";
  return "it changes along the run: " + us_phrase(side.first_third_s) + " in the first third, " + us_phrase(side.last_third_s) +
         " in the last";
}

// The launch that lies farthest from the middle is named.
std::string heterogeneity(const OverheadRow& row, const Comparison& comparison) {
  const auto& centre = comparison.over_reference.centre;
  if (!(heterogeneity_p(centre) < kQualifierSignificance)) return "";
  const auto& launches = centre.of_launches();
  const auto by_value = [](const Estimate& a, const Estimate& b) { return a.value < b.value; };
  const auto [least, most] = std::minmax_element(launches.begin(), launches.end(), by_value);
  const double middle = 1e-6 * row.overhead_us.value;
  const auto odd = most->value - middle > middle - least->value ? most : least;
  return "launches differ, from " + us_phrase(least->value) + " to " + us_phrase(most->value) +
         "; farthest off: " + comparison.launch_ids.at(static_cast<std::size_t>(odd - launches.begin()));
}

std::string neighbours(const OverheadRow& /*row*/, const Comparison& comparison) {
  const auto& side = comparison.side;
  if (!(side.p_neighbours < kQualifierSignificance)) return "";
  return "carry-over: " + us_phrase(side.apart.estimate().value) +
         " in blocks that do not directly follow a block of either arm, " +
         us_phrase(comparison.over_reference.centre.estimate().value) + " over all";
}

std::string discarded_steps(const OverheadRow& row, const Comparison& comparison) {
  const auto& discarded = comparison.side.discarded;
  const double us = 1e6 * discarded.estimate().value;
  const double beyond = std::fabs(us - row.overhead_us.value);
  if (discarded.empty() || !(two_sided_p(discarded) < kQualifierSignificance) ||
      !(beyond > std::max(row.margin_us, row.resolution_us)))
    return "";
  return "the steps that are discarded, behind the switch of arms, differ by " + signed_text(us) + " us";
}

std::string wider_scatter(const OverheadRow& /*row*/, const Comparison& comparison) {
  const auto& ratio = comparison.side.range_ratio;
  const double times = std::exp(ratio.estimate().value);
  if (ratio.empty() || !(two_sided_p(ratio) < kQualifierSignificance) || !(times > kWiderScatter)) return "";
  return "its steps scatter " + number_text(times, 2) + " times as far as the reference's";
}

}  // namespace

std::vector<std::string> qualifiers(const OverheadRow& row, const Comparison& comparison) {
  using Qualifier = std::string (*)(const OverheadRow&, const Comparison&);
  constexpr std::array<Qualifier, 8> kQualifiers{aa_offset, invalid_times, disturbed,       neighbours,
                                                 trend,     heterogeneity, discarded_steps, wider_scatter};
  std::vector<std::string> phrases;
  if (comparison.over_reference.centre.empty()) return phrases;
  for (const auto qualifier : kQualifiers) {
    if (auto phrase = qualifier(row, comparison); !phrase.empty()) phrases.push_back(std::move(phrase));
  }
  return phrases;
}

}  // namespace ddpbench
