// The statistics under the noises of shared machines, by simulation. Seeds are fixed; numbers of campaigns are such that a method
// that keeps its promise is outside the bounds here once in more than a thousand seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "suite/estimates/estimate.hpp"
#include "suite/estimates/signed_rank.hpp"
#include "suite/estimates/width_stopping.hpp"
#include "tests/suite/estimates/simulated_designs.hpp"
#include "tests/suite/estimates/simulated_launch.hpp"
#include "tests/support/binomial_bound.hpp"

namespace ddpbench {
namespace {

constexpr int kPairs = 80;
constexpr double kLengthS = 2 * kPairs * (kSimulatedBlockSteps + 1) * 0.1;

bool holds(const Estimate& estimate, double truth) { return estimate.lo <= truth && truth <= estimate.hi; }

// Nothing but a jitter; what a test is about is switched on.
SimulatedHost quiet() {
  SimulatedHost host;
  host.launch_sd = host.drift_sd = host.slope = host.neighbour = host.stall_share = 0;
  return host;
}

Estimate by_logs(const SimulatedPairs& pairs) { return hodges_lehmann(log_ratios(pairs.arm_s, pairs.reference_s)); }
Estimate by_seconds(const SimulatedPairs& pairs) { return hodges_lehmann(differences(pairs.arm_s, pairs.reference_s)); }

// The share of campaigns, in percent, whose interval does not hold the truth.
double misses_percent(const SimulatedHost& host, const SimulatedCost& cost, int campaigns,
                      const std::function<bool(const SimulatedPairs&)>& holds_truth) {
  int misses = 0;
  for (int seed = 0; seed < campaigns; ++seed) {
    SimulatedLaunch launch(host, kLengthS, static_cast<std::uint64_t>(seed));
    misses += holds_truth(simulated_pairs(launch, kPairs, cost)) ? 0 : 1;
  }
  return 100.0 * misses / campaigns;
}

struct NamedHost {
  const char* name;
  SimulatedHost host;
};

std::vector<NamedHost> hosts() {
  auto drift = quiet();
  drift.drift_sd = SimulatedHost{}.drift_sd;
  drift.slope = SimulatedHost{}.slope;
  drift.neighbour = SimulatedHost{}.neighbour;
  auto tails = quiet();
  tails.stall_share = 0.1;
  tails.stall = 0.5;
  auto correlated = quiet();
  correlated.jitter_correlation = 0.8;
  SimulatedHost all;
  all.jitter_correlation = 0.5;
  return {{"drift", drift}, {"heavy tails", tails}, {"autocorrelation", correlated}, {"all at once", all}};
}

// Of 4,000 campaigns 5 % have a standard error of 0.34 %: the bounds are more than four of them away.
TEST(Simulation, TheSameCodeTwiceIsCalledDifferentInOneOfTwenty) {
  for (const auto& [name, host] : hosts()) {
    const auto false_positives = misses_percent(host, {}, 4000, [](const auto& pairs) { return holds(by_seconds(pairs), 0); });
    std::cout << name << ": " << false_positives << " % false positives\n";
    EXPECT_GE(false_positives, 3.5) << name;
    EXPECT_LE(false_positives, 6.5) << name;
  }
}

// Of 2,000 campaigns 95 % have a standard error of 0.49 %.
TEST(Simulation, IntervalsHoldWhatIsTrue) {
  const SimulatedHost host;
  for (const double effect : {0.005, 0.02, 0.05}) {
    const auto of_ratio = misses_percent(host, {.factor = 1 + effect}, 2000,
                                         [&](const auto& pairs) { return holds(by_logs(pairs), std::log1p(effect)); });
    EXPECT_LE(of_ratio, 7) << effect;
    const double extra_s = effect * host.base_s;
    const auto of_seconds =
        misses_percent(host, {.extra_s = extra_s}, 2000, [&](const auto& pairs) { return holds(by_seconds(pairs), extra_s); });
    EXPECT_LE(of_seconds, 7) << effect;
    std::cout << "coverage at " << 100 * effect << " %: " << 100 - of_ratio << " % of ratios, " << 100 - of_seconds
              << " % of seconds\n";
  }
}

// Runs one launch until its width is enough; whether 0 then lies outside the interval.
bool is_called_different_once_narrow(std::uint64_t seed, std::size_t& pairs_taken) {
  constexpr std::size_t kMostPairs = 1200;
  SimulatedLaunch launch(SimulatedHost{}, 300, seed);
  const WidthStopping stopping(Margin{1, 2});  // m/4 is 0.25 % of the step: about 200 pairs
  SimulatedPairs pairs;
  for (pairs_taken = 1;; ++pairs_taken) {
    const auto one = simulated_pairs(launch, 1);
    pairs.reference_s.push_back(one.reference_s.front());
    pairs.arm_s.push_back(one.arm_s.front());
    const bool capped = pairs_taken == kMostPairs;
    const bool asked = WidthStopping::is_due(pairs_taken);
    const auto is_narrow = [&] {
      return stopping.check(pairs.reference_s, std::span(&pairs.arm_s, 1), SimulatedHost{}.base_s).narrow_enough();
    };
    if (capped || (asked && is_narrow())) break;
  }
  return !holds(by_seconds(pairs), 0);
}

TEST(Simulation, StoppingByWidthKeepsTheFalsePositives) {
  constexpr int kCampaigns = 1000;
  int false_positives = 0;
  int stopped_early = 0;
  for (std::uint64_t seed = 0; seed < kCampaigns; ++seed) {
    std::size_t pairs = 0;
    false_positives += is_called_different_once_narrow(seed, pairs) ? 1 : 0;
    stopped_early += pairs < 1200 ? 1 : 0;
  }
  std::cout << false_positives << " false positives in " << kCampaigns << " launches stopped by width\n";
  EXPECT_LE(false_positives, binomial_bound(kCampaigns, 0.05));
  EXPECT_GE(stopped_early, kCampaigns / 2);  // or the rule was never at work
}

// What the rule is there to avoid: looking at p after every twenty pairs until it is small.
TEST(Simulation, StoppingAtASmallPWouldNot) {
  constexpr int kCampaigns = 300;
  int false_positives = 0;
  for (std::uint64_t seed = 0; seed < kCampaigns; ++seed) {
    SimulatedLaunch launch(SimulatedHost{}, 480, seed);
    const auto pairs = simulated_pairs(launch, 480);
    const auto all = differences(pairs.arm_s, pairs.reference_s);
    bool found = false;
    for (std::size_t n = 20; n <= all.size() && !found; n += 20) found = signed_rank_p(std::span(all).first(n)) < 0.05;
    false_positives += found ? 1 : 0;
  }
  std::cout << false_positives << " false positives in " << kCampaigns << " launches stopped at a small p\n";
  EXPECT_GT(false_positives, 2 * binomial_bound(kCampaigns, 0.05));
}

TEST(Simulation, TheBinomialBoundIsThatOfScipy) {
  EXPECT_EQ(binomial_bound(1000, 0.05), 73);  // scipy.stats.binom.ppf(0.999, 1000, 0.05)
  EXPECT_EQ(binomial_bound(20, 0.5), 17);
}

// A logger that takes 25 ms in every 50th step: half a millisecond a step, half a percent. No median shows it.
constexpr double kEventS = 0.025;
constexpr int kEvery = 50;

SimulatedPairs with_rare_events(int phase) {
  SimulatedLaunch launch(quiet(), 1000, 7);
  return simulated_pairs(launch, 3000, {.extra_s = kEventS, .every = kEvery, .phase = phase});
}

TEST(Simulation, WhatHappensInEveryFiftiethStepIsSeenByMeansOnly) {
  const auto pairs = with_rare_events(2);
  EXPECT_LT(by_seconds(pairs).hi, 0.5 * kEventS / kEvery);
  const auto means = differences(pairs.arm_means_s, pairs.reference_means_s);
  // Its share of the timed steps: of fifty steps ten are discarded.
  const double per_timed_step_s = kEventS / kEvery * (kSimulatedBlockSteps + 1) / kSimulatedBlockSteps;
  const auto by_means = t_interval(means, 0.999);
  EXPECT_TRUE(holds(by_means, per_timed_step_s)) << by_means.lo << ' ' << by_means.hi;
  EXPECT_GT(by_means.lo, 0);
  EXPECT_LT(hodges_lehmann(means).value, 0.8 * per_timed_step_s);  // why the means are combined by a mean
}

// Fifty steps are ten blocks: what falls on a discarded step falls on one always. So such work is timed apart, as events.
TEST(Simulation, OnADiscardedStepOnlyEventsShowIt) {
  const auto pairs = with_rare_events(0);
  EXPECT_LT(t_interval(differences(pairs.arm_means_s, pairs.reference_means_s), 0.999).hi, 0.5 * kEventS / kEvery);
  SimulatedLaunch launch(quiet(), 100, 8);
  std::vector<double> events;
  for (int i = 0; i < 30; ++i) events.push_back(launch.step_s(kEventS / 0.1));
  const auto cost = event_cost_per_step(events, kEvery, 0.999);
  EXPECT_TRUE(holds(cost, kEventS / kEvery));
  EXPECT_NEAR(cost.value, kEventS / kEvery, 0.02 * kEventS / kEvery);
  events.pop_back();
  EXPECT_TRUE(std::isnan(event_cost_per_step(events, kEvery).lo));
}

const DesignRow& design(const std::vector<DesignRow>& rows, const std::string& name) {
  return *std::find_if(rows.begin(), rows.end(), [&](const DesignRow& row) { return row.design == name; });
}

// Of a thousand campaigns the naive ones had 84-91 % false positives and 86 % power was this design's: the bounds are far from chance.
TEST(Simulation, NaiveDesignsAreWrongMostOfTheTime) {
  const auto rows = simulated_designs(100);
  ASSERT_EQ(rows.size(), 6U);
  for (const auto* name : {"separate_launches_medians", "sequential_means", "sequential_medians"}) {
    EXPECT_GT(design(rows, name).false_positives_percent, 60) << name;
    EXPECT_GT(design(rows, name).rmse_percent, 2) << name;
  }
  const auto& ours = design(rows, "paired_medians");
  EXPECT_LE(ours.false_positives_percent, binomial_bound(100, 0.05));
  EXPECT_LT(ours.rmse_percent, 0.3);
  EXPECT_LE(100 - ours.coverage_percent, binomial_bound(100, 0.05));
  EXPECT_GT(ours.power_percent, 60);
  EXPECT_LT(design(rows, "interleaved_unpaired").power_percent, 40);
  EXPECT_LT(design(rows, "paired_means").power_percent, ours.power_percent);
  EXPECT_EQ(ours.steps_per_arm, 480);
}

TEST(Simulation, TheSameSeedGivesTheSameTable) {
  const auto a = simulated_designs(3);
  const auto b = simulated_designs(3);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].rmse_percent, b[i].rmse_percent);
}

}  // namespace
}  // namespace ddpbench
