#include "reports/analysis/comparisons/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/comparisons/trimmed_means.hpp"
#include "suite/base/median.hpp"
#include "suite/estimates/rank_correlation.hpp"

namespace ddpbench {
namespace {

double standard_deviation(const LaunchPairs& launches) {
  double squares = 0;
  double freedom = 0;
  for (const auto& d : launches) {
    const auto mean = t_interval(d).value;
    for (const double x : d) squares += (x - mean) * (x - mean);
    freedom += static_cast<double>(d.size()) - 1;
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : kNotMeasured;
}

// Series of launches, and how they become quantities.
class Launches {
 public:
  Launches(std::vector<PairSeries> series, const Bounds& bounds, double confidence)
      : series_(std::move(series)), confidence_(confidence) {
    bounds_ = {0, bounds.margin_s, -bounds.margin_s, bounds.budget_s};
    std::erase_if(bounds_, [](double bound) { return std::isnan(bound); });
  }

  const std::vector<PairSeries>& series() const { return series_; }

  // Of what `of` says of each launch; a launch in which it leaves fewer than six pairs takes no part.
  template <class Of>
  Quantity quantity(Location location, bool with_intervals, Of of) const {
    LaunchPairs launches;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      auto pairs = of(series_[i], i);
      if (pairs.size() >= kFewestPairs) launches.push_back(std::move(pairs));
    }
    return launches.empty() ? Quantity() : Quantity(location, launches, bounds_, confidence_, with_intervals);
  }

  Difference difference(bool with_intervals) const {
    Difference found;
    found.centre =
        quantity(Location::kCentre, with_intervals, [](const PairSeries& launch, std::size_t) { return launch.of_medians_s; });
    found.mean = quantity(Location::kMean, true, [](const PairSeries& launch, std::size_t) { return launch.of_means_s; });
    found.ranks = of_ranks([](const PairSeries& launch, std::size_t rank) { return launch.of_ranks_s[rank]; });
    return found;
  }

  // Applies of(series, rank) to every rank; empty with one rank, and on clocks that keep only the slowest rank's value.
  template <class Of>
  std::vector<Quantity> of_ranks(Of of) const {
    std::size_t ranks = series_.empty() ? 0 : series_.front().of_ranks_s.size();
    for (const auto& launch : series_) ranks = std::min(ranks, launch.of_ranks_s.size());
    std::vector<Quantity> found;
    for (std::size_t rank = 0; ranks > 1 && rank < ranks; ++rank) {
      found.push_back(
          quantity(Location::kCentre, false, [&](const PairSeries& launch, std::size_t) { return of(launch, rank); }));
    }
    return found;
  }

 private:
  std::vector<PairSeries> series_;
  std::vector<double> bounds_;
  double confidence_;
};

std::vector<double> third_of(const std::vector<double>& values, std::size_t which) {
  const auto third = values.size() / 3;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(which * third);
  return {begin, which == 2 ? values.end() : begin + static_cast<std::ptrdiff_t>(third)};
}

// Launches weigh as their pairs do.
void add_trend(SideEffects& side, const std::vector<PairSeries>& launches) {
  double sum = 0;
  double weights = 0;
  double first = 0;
  double last = 0;
  for (const auto& launch : launches) {
    const auto n = static_cast<double>(launch.size());
    const double correlation = correlation_with_order(launch.of_medians_s);
    if (std::isfinite(correlation)) sum += n * correlation;
    weights += n * n / (n - 1);
    first += median(third_of(launch.of_medians_s, 0)) / static_cast<double>(launches.size());
    last += median(third_of(launch.of_medians_s, 2)) / static_cast<double>(launches.size());
  }
  side.trend_z = sum / std::sqrt(weights);
  side.first_third_s = first;
  side.last_third_s = last;
}

// Differences about their launch's median.
double p_neighbours(const std::vector<PairSeries>& launches) {
  std::vector<double> apart, touching;
  for (const auto& launch : launches) {
    const double middle_s = median(launch.of_medians_s);
    for (std::size_t pair = 0; pair < launch.size(); ++pair) {
      (launch.touching[pair] ? touching : apart).push_back(launch.of_medians_s[pair] - middle_s);
    }
  }
  return difference_of_trimmed_means(std::move(apart), std::move(touching), kDefaultConfidence).p;
}

// `of`: the launches of the series.
SideEffects side_effects(const Launches& launches, const std::vector<const Launch*>& of) {
  const auto is_disturbed = [&](const PairSeries& series, std::size_t launch, std::size_t pair) {
    return of[launch]->samples.disturbed.contains(series.super_blocks[pair]);
  };
  SideEffects side;
  double disturbed = 0;
  double apart = 0;
  double pairs = 0;
  for (std::size_t launch = 0; launch < of.size(); ++launch) {
    const auto& series = launches.series()[launch];
    for (std::size_t pair = 0; pair < series.size(); ++pair) disturbed += is_disturbed(series, launch, pair) ? 1 : 0;
    apart += static_cast<double>(std::count(series.touching.begin(), series.touching.end(), false));
    pairs += static_cast<double>(series.size());
  }
  side.disturbed_share = disturbed / pairs;
  side.apart_share = apart / pairs;
  side.apart = launches.quantity(Location::kCentre, false, [](const PairSeries& series, std::size_t) {
    return kept(series.of_medians_s, [&](std::size_t pair) { return !series.touching[pair]; });
  });
  side.apart_mean = launches.quantity(Location::kMean, true, [](const PairSeries& series, std::size_t) {
    return kept(series.of_means_s, [&](std::size_t pair) { return !series.touching[pair]; });
  });
  side.apart_ranks = launches.of_ranks([](const PairSeries& series, std::size_t rank) {
    return kept(series.of_ranks_s[rank], [&](std::size_t pair) { return !series.touching[pair]; });
  });
  side.p_neighbours = p_neighbours(launches.series());
  if (disturbed > 0) {
    side.undisturbed = launches.quantity(Location::kCentre, false, [&](const PairSeries& series, std::size_t launch) {
      return kept(series.of_medians_s, [&](std::size_t pair) { return !is_disturbed(series, launch, pair); });
    });
  }
  const auto all = [](std::size_t) { return true; };
  side.discarded = launches.quantity(Location::kCentre, false,
                                     [&](const PairSeries& series, std::size_t) { return kept(series.of_discarded_s, all); });
  side.range_ratio = launches.quantity(Location::kCentre, false,
                                       [&](const PairSeries& series, std::size_t) { return kept(series.log_range_ratios, all); });
  add_trend(side, launches.series());
  return side;
}

// Before the timed ones of a block of `arm`, mean: those in which it warms up again, of which there are no rows, and those that are discarded.
double untimed_steps(const std::vector<const Launch*>& launches, const std::string& arm) {
  double steps = 0;
  double blocks = 0;
  double rewarm = 0;
  for (const auto* launch : launches) {
    for (const auto& row : launch->metrics) rewarm += row.metric == kMetrics.rewarm_steps.name ? row.value : 0;
    for (const auto& rank : launch->samples.find(arm)->ranks) {
      for (std::size_t block = 0; block < rank.discarded_steps.size(); ++block) {
        steps += static_cast<double>(rank.discarded_steps[block].size());
        blocks += rank.discarded_steps[block].empty() ? 0 : 1;
      }
    }
  }
  return (blocks > 0 ? steps / blocks : 1) + rewarm / std::fmax(1, static_cast<double>(launches.size()));
}

// Fills the seconds per super-block and per launch start.
void add_times(Comparison& comparison, const Cell& cell, const std::vector<const Launch*>& launches, double untimed_steps) {
  const auto steps = static_cast<double>(cell.settings.protocol.block_steps);
  double measured_s = 0;
  double whole_s = 0;
  double super_blocks = 0;
  for (const auto* launch : launches) {
    measured_s += launch->samples.host.wall_s * (steps + untimed_steps) / steps;
    super_blocks += static_cast<double>(launch->runs.front().super_blocks);
    whole_s += launch->runs.front().wall_s;
  }
  if (super_blocks > 0 && measured_s > 0) comparison.super_block_s = measured_s / super_blocks;
  if (whole_s > measured_s) comparison.set_up_s = (whole_s - measured_s) / static_cast<double>(launches.size());
}

double invalid_share(const std::vector<const Launch*>& launches, const std::string& arm, const std::string& reference,
                     Clock clock) {
  InvalidTimes found;
  for (const auto* launch : launches) {
    for (const auto& name : {arm, reference}) {
      const auto& times = launch->samples.find(name)->times[index_of(clock)];
      found.invalid += times.invalid;
      found.all += times.all;
    }
  }
  return found.all == 0 ? 0 : static_cast<double>(found.invalid) / static_cast<double>(found.all);
}

std::vector<PairSeries> series_over(const std::vector<const Launch*>& launches, const std::string& arm, const std::string& other,
                                    Clock clock) {
  std::vector<PairSeries> series;
  for (const auto* launch : launches) series.push_back(pair_series(launch->samples, arm, other, clock));
  return series;
}

}  // namespace

Comparison compare(const Cell& cell, const std::string& arm, const std::string& aa, Clock clock, const Bounds& bounds) {
  const auto& reference = cell.family_of(arm).reference;
  const auto all = cell.launches_with({arm, reference});
  Comparison comparison;
  comparison.invalid_share = invalid_share(all, arm, reference, clock);
  std::vector<const Launch*> used;
  std::vector<PairSeries> series;
  for (const auto* launch : all) {
    auto pairs = pair_series(launch->samples, arm, reference, clock);
    const auto count = static_cast<std::int64_t>(pairs.size());
    if (pairs.size() < kFewestPairs) {
      comparison.pairs = std::max(comparison.pairs, count);
      continue;
    }
    used.push_back(launch);
    series.push_back(std::move(pairs));
  }
  if (series.empty()) return comparison;
  const double confidence = cell.settings.confidence;
  const Launches launches(std::move(series), bounds, confidence);
  comparison.over_reference = launches.difference(true);
  if (!aa.empty()) comparison.over_aa = Launches(series_over(used, arm, aa, clock), bounds, confidence).difference(false);
  comparison.side = side_effects(launches, used);
  LaunchPairs pairs;
  for (const auto& launch : launches.series()) pairs.push_back(launch.of_medians_s);
  comparison.pair_sd_s = standard_deviation(pairs);
  comparison.pairs = 0;
  for (const auto& launch : pairs) comparison.pairs += static_cast<std::int64_t>(launch.size());
  comparison.launches = static_cast<std::int64_t>(pairs.size());
  for (const auto* launch : used) comparison.launch_ids.push_back(launch->launch_id);
  add_times(comparison, cell, used, untimed_steps(used, reference));
  return comparison;
}

}  // namespace ddpbench
