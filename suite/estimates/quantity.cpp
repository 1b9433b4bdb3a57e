#include "suite/estimates/quantity.hpp"

#include <algorithm>
#include <cmath>

#include "suite/estimates/signed_rank.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

double mean_value(const std::vector<Estimate>& estimates) {
  double sum = 0;
  for (const auto& estimate : estimates) sum += estimate.value;
  return sum / static_cast<double>(estimates.size());
}

// An interval is so many standard errors wide on each side.
double quantile_of(Location location, std::size_t pairs, double confidence) {
  return location == Location::kCentre ? two_sided_normal_quantile(confidence)
                                       : two_sided_t_quantile(confidence, static_cast<int>(pairs) - 1);
}

double standard_error_of(const Estimate& launch, Location location, double confidence) {
  return 0.5 * (launch.hi - launch.lo) / quantile_of(location, launch.n, confidence);
}

}  // namespace

bool BetweenLaunches::OfOne::is_alike(double other) const { return scale <= kAlikeSteps * other && other <= kAlikeSteps * scale; }

void BetweenLaunches::add(double squares, int degrees, double scale) { all_.push_back({squares, scale, degrees}); }

double BetweenLaunches::variance(double scale) const {
  double shares = 0, times = 0;
  for (const auto& one : all_) {
    if (!one.is_alike(scale)) continue;
    shares += one.squares * (scale / one.scale) * (scale / one.scale);
    times += one.squares;
  }
  const auto pooled = degrees(scale);
  return pooled > 0 ? std::max({0.0, shares, times}) / pooled : 0;
}

int BetweenLaunches::degrees(double scale) const {
  int sum = 0;
  for (const auto& one : all_) sum += one.is_alike(scale) ? one.degrees : 0;
  return sum;
}

Quantity::Quantity(Location location, const LaunchPairs& launches, std::span<const double> bounds, double confidence,
                   bool with_intervals)
    : location_(location), confidence_(confidence) {
  const bool needs_intervals = with_intervals || launches.size() < kLaunchesForTheirOwnScatter;
  for (const auto& pairs : launches) {
    if (location == Location::kMean) {
      of_launches_.push_back(t_interval(pairs, confidence));
    } else if (needs_intervals) {
      of_launches_.push_back(hodges_lehmann(pairs, confidence));
    } else {
      of_launches_.push_back({hodges_lehmann_value(pairs), kNotMeasured, kNotMeasured, pairs.size()});
    }
  }
  degrees_ = static_cast<int>(launches.size()) - 1;
  if (is_pooled()) between_variance_ = own_between();
  if (!is_by_ranks()) return;
  pairs_ = launches.front();
  for (const double bound : bounds) {
    std::vector<double> mirrored(pairs_);
    for (double& value : mirrored) value = -value;
    tails_.push_back({bound, signed_rank_p_above(pairs_, bound), signed_rank_p_above(mirrored, -bound)});
  }
}

void Quantity::add_to(BetweenLaunches& between, double scale) const {
  if (of_launches_.size() < 2) return;
  const double mean = mean_value(of_launches_);
  double squares = 0;
  for (const auto& launch : of_launches_) squares += (launch.value - mean) * (launch.value - mean);
  const auto degrees = static_cast<int>(of_launches_.size()) - 1;
  const double within = within_variance();
  if (std::isfinite(squares) && std::isfinite(within)) between.add(squares - degrees * within, degrees, scale);
}

double Quantity::own_between() const {
  BetweenLaunches own;
  add_to(own, 1);
  return own.variance(1);
}

void Quantity::pool(const BetweenLaunches& between, double scale) {
  if (!is_pooled() || between.degrees(scale) < degrees_) return;
  between_variance_ = between.variance(scale);
  degrees_ = between.degrees(scale);
}

double Quantity::within_variance() const {
  double sum = 0;
  for (const auto& launch : of_launches_) sum += std::pow(standard_error_of(launch, location_, confidence_), 2);
  return sum / static_cast<double>(of_launches_.size());
}

double Quantity::scatter() const {
  if (is_pooled()) return between_variance_ + within_variance();
  const double mean = mean_value(of_launches_);
  double squares = 0;
  for (const auto& launch : of_launches_) squares += (launch.value - mean) * (launch.value - mean);
  return squares / static_cast<double>(of_launches_.size() - 1);
}

double Quantity::standard_error() const {
  if (of_launches_.empty()) return kNotMeasured;
  if (of_launches_.size() == 1) return standard_error_of(of_launches_.front(), location_, confidence_);
  return std::sqrt(scatter() / static_cast<double>(of_launches_.size()));
}

Estimate Quantity::estimate() const {
  if (of_launches_.empty()) return {};
  if (of_launches_.size() == 1) return of_launches_.front();
  const double value = mean_value(of_launches_);
  const double half = two_sided_t_quantile(confidence_, degrees_) * standard_error();
  return {value, value - half, value + half, of_launches_.size()};
}

Estimate Quantity::estimate(double confidence) const {
  if (of_launches_.empty() || confidence == confidence_) return estimate();
  if (is_by_ranks()) return location_over_launches({pairs_}, confidence);
  auto found = estimate();
  const bool alone = of_launches_.size() == 1;
  const double half = two_sided_t_quantile(confidence, alone ? static_cast<int>(found.n) - 1 : degrees_) * standard_error();
  found.lo = found.value - half;
  found.hi = found.value + half;
  return found;
}

double Quantity::between_sd() const {
  if (of_launches_.size() < 2) return kNotMeasured;
  if (is_pooled()) return std::sqrt(between_variance_);
  return std::isfinite(within_variance()) ? std::sqrt(own_between()) : kNotMeasured;
}

// That the truth is 0 where the launches' mean is `distance`, against more.
double Quantity::p_of(double distance) const {
  const double error = standard_error();
  if (std::isnan(error)) return kNotMeasured;
  if (error == 0) return distance > 0 ? 0 : 1;
  const auto degrees = of_launches_.size() == 1 ? static_cast<int>(of_launches_.front().n) - 1 : degrees_;
  return t_p_above(distance / error, degrees);
}

double Quantity::error_of_a_pair() const {
  if (of_launches_.empty()) return kNotMeasured;
  double sum = 0;
  for (const auto& launch : of_launches_) {
    sum += std::pow(standard_error_of(launch, location_, confidence_), 2) * static_cast<double>(launch.n);
  }
  return std::sqrt(sum / static_cast<double>(of_launches_.size()));
}

const Quantity::Tails* Quantity::tails_at(double bound) const {
  const auto found = std::find_if(tails_.begin(), tails_.end(), [bound](const Tails& tails) { return tails.bound == bound; });
  return found == tails_.end() || std::isnan(of_launches_.front().lo) ? nullptr : &*found;
}

double Quantity::p_above(double bound) const {
  if (of_launches_.empty()) return kNotMeasured;
  if (!is_by_ranks()) return p_of(mean_value(of_launches_) - bound);
  const auto* tails = tails_at(bound);
  return tails == nullptr ? kNotMeasured : tails->above;
}

double Quantity::p_below(double bound) const {
  if (of_launches_.empty()) return kNotMeasured;
  if (!is_by_ranks()) return p_of(bound - mean_value(of_launches_));
  const auto* tails = tails_at(bound);
  return tails == nullptr ? kNotMeasured : tails->below;
}

double heterogeneity_p(const Quantity& quantity) {
  const auto& launches = quantity.of_launches();
  if (launches.size() < 2) return kNotMeasured;
  double weights = 0;
  double weighted = 0;
  std::vector<double> weight_of;
  for (const auto& launch : launches) {
    const double error = 0.5 * (launch.hi - launch.lo) / two_sided_normal_quantile(quantity.confidence());
    weight_of.push_back(1 / (error * error));
    weights += weight_of.back();
    weighted += weight_of.back() * launch.value;
  }
  double q = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) q += weight_of[i] * std::pow(launches[i].value - weighted / weights, 2);
  const auto degrees = static_cast<double>(launches.size() - 1);
  if (!std::isfinite(q)) return kNotMeasured;
  const double ninth = 2 / (9 * degrees);
  return t_p_above((std::cbrt(q / degrees) - (1 - ninth)) / std::sqrt(ninth), 0);
}

}  // namespace ddpbench
