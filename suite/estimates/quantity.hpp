#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "suite/estimates/estimate.hpp"
#include "suite/estimates/over_launches.hpp"

namespace ddpbench {

// Says where a launch's pairs lie: Hodges and Lehmann's centre with Wilcoxon's test, or the arithmetic mean with Student's, which
// sees what happens now and then and every disturbance too.
enum class Location { kCentre, kMean };

// Gathers, from quantities of several cells, what launches differ by beyond what their own pairs explain.
// Nobody knows whether that grows with a step or not. So a cell is judged by those whose steps are at most kAlikeSteps times as
// long or as short, and by the larger of both: the same share of each step, or the same time.
class BetweenLaunches {
 public:
  // Adds a cell. `squares`: sum over launches of (estimate - mean)² less what chance within launches adds, may be negative;
  // `degrees`: launches less one; `scale`: the step.
  void add(double squares, int degrees, double scale);

  double variance(double scale) const;  // of a launch, at such a step; 0 where chance explains all
  int degrees(double scale) const;      // of that

 private:
  struct OfOne {
    double squares, scale;
    int degrees;
    bool is_alike(double other) const;
  };
  std::vector<OfOne> all_;
};

// Bounds the ratio of two steps whose cells share their scatter between launches.
inline constexpr double kAlikeSteps = 2;

// Is the number of launches from which a quantity is judged by their own scatter; with fewer the scatter is pooled over cells
// (two launches alone have a t of 12.7).
inline constexpr std::size_t kLaunchesForTheirOwnScatter = 5;

// Holds what one or several launches say of one difference: an estimate with its interval, and one-sided p against a bound.
// One launch speaks for itself: Wilcoxon's interval and test, or Student's. Several are a sample of launches: Student's interval
// of the mean of their estimates, with L - 1 degrees of freedom; below kLaunchesForTheirOwnScatter launches its variance is (b² +
// w²) / L, b²: between launches, pooled (pool()), w²: the mean of the squared errors within launches, and the degrees of freedom
// are those of b².
class Quantity {
 public:
  Quantity() = default;  // no launch

  // Takes `launches`: pairs, launch by launch; none is empty. `bounds`: what one launch's centre may be tested against. Without
  // `with_intervals` launches that are enough for their own scatter get no intervals of their own, which costs two thirds of the
  // time.
  Quantity(Location location, const LaunchPairs& launches, std::span<const double> bounds, double confidence,
           bool with_intervals = true);

  bool empty() const { return of_launches_.empty(); }
  double confidence() const { return confidence_; }  // of estimate()
  const std::vector<Estimate>& of_launches() const { return of_launches_; }

  // Adds this quantity's launches, `scale` being the step that its differences are of.
  void add_to(BetweenLaunches& between, double scale) const;

  // Takes its variance between launches from `between`, at the step `scale`, where it has two launches or more but fewer than
  // kLaunchesForTheirOwnScatter, and `between` has no fewer degrees of freedom than its own launches.
  void pool(const BetweenLaunches& between, double scale);

  Estimate estimate() const;  // n: pairs of one launch, or launches
  // Returns it at another confidence than the quantity was made with, as location_over_launches does.
  Estimate estimate(double confidence) const;
  double standard_error() const;       // NaN without an interval
  double between_sd() const;           // of launches, beyond chance; NaN with one
  double error_of_a_pair() const;      // standard error within a launch times the root of its pairs
  double p_above(double bound) const;  // that the truth is at most `bound`, against more; NaN without an interval
  double p_below(double bound) const;  // that it is at least `bound`, against less

 private:
  struct Tails {
    double bound, above, below;
  };
  bool is_by_ranks() const { return of_launches_.size() == 1 && location_ == Location::kCentre; }
  const Tails* tails_at(double bound) const;
  double p_of(double distance) const;
  double within_variance() const;  // of a launch, mean
  double own_between() const;      // variance of its launches beyond chance
  bool is_pooled() const { return of_launches_.size() > 1 && of_launches_.size() < kLaunchesForTheirOwnScatter; }
  double scatter() const;  // variance of the launches' estimates

  Location location_ = Location::kCentre;
  double confidence_ = kDefaultConfidence;
  std::vector<Estimate> of_launches_;
  std::vector<Tails> tails_;   // of one launch's centre
  std::vector<double> pairs_;  // of the same
  double between_variance_ = 0;
  int degrees_ = 0;
};

// Returns the p of Cochran's Q that launches differ by no more than their own intervals explain, with Wilson and Hilferty's
// normal approximation (1931) to the chi-square law. NaN: fewer than two launches, or one without an interval.
double heterogeneity_p(const Quantity& quantity);

}  // namespace ddpbench
