#include "tests/suite/estimates/simulated_designs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "suite/base/median.hpp"
#include "suite/estimates/bootstrap.hpp"
#include "suite/estimates/estimate.hpp"
#include "suite/estimates/student_t.hpp"
#include "tests/suite/estimates/simulated_launch.hpp"

namespace ddpbench {
namespace {

constexpr int kPairs = 120;
constexpr int kSteps = kPairs * kSimulatedBlockSteps;
constexpr double kEffect = 0.005;
// A bound at 2.5 % of so few is rough, and rough will do: the intervals that it makes are wrong by factors.
constexpr int kResamples = 50;

using Series = std::vector<double>;

// What one campaign measures, in every design's way.
struct Campaign {
  Series first, then;  // all steps of the reference, then all of the arm, in one launch
  Series apart;        // the arm's in a launch of its own
  SimulatedPairs interleaved;
};

Series steps(SimulatedLaunch& launch, double factor) {
  Series seconds;
  for (int i = 0; i < kSteps; ++i) seconds.push_back(launch.step_s(factor));
  return seconds;
}

Campaign campaign(double effect, std::uint64_t seed) {
  const SimulatedHost host;
  const double arm_s = kSteps * host.base_s;
  SimulatedLaunch one(host, 2 * arm_s, 3 * seed);
  SimulatedLaunch other(host, arm_s, 3 * seed + 1);
  SimulatedLaunch paired(host, 2 * arm_s, 3 * seed + 2);
  Campaign measured;
  measured.first = steps(one, 1);
  measured.then = steps(one, 1 + effect);
  measured.apart = steps(other, 1 + effect);
  measured.interleaved = simulated_pairs(paired, kPairs, {.factor = 1 + effect});
  return measured;
}

double square(double x) { return x * x; }

double mean_of(const Series& x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); }

double relative_error(const Series& x) {
  const auto n = static_cast<double>(x.size());
  const double mean = mean_of(x);
  double squares = 0;
  for (const double value : x) squares += square(value - mean);
  return std::sqrt(squares / (n - 1) / n) / mean;
}

// log(mean of arm / mean of reference), with the error of means of independent values.
Estimate unpaired_means(const Series& arm, const Series& reference) {
  static const double kNormal = two_sided_normal_quantile(kDefaultConfidence);
  const double value = std::log(mean_of(arm) / mean_of(reference));
  const double half = kNormal * std::hypot(relative_error(arm), relative_error(reference));
  return {value, value - half, value + half, arm.size()};
}

// The medians of resamples of an even number of values, by counting how often each was drawn: a third of the time of sorting them out.
Series resampled_medians(Series x, std::uint32_t seed) {
  std::sort(x.begin(), x.end());
  std::mt19937 generator(seed);
  std::vector<std::size_t> drawn(x.size());
  Series medians;
  for (int i = 0; i < kResamples; ++i) {
    std::fill(drawn.begin(), drawn.end(), 0);
    for (std::size_t draw = 0; draw < x.size(); ++draw) ++drawn[resampled_index(generator, x.size())];
    std::size_t place = 0;
    auto count = drawn[0];
    while (count < x.size() / 2) count += drawn[++place];
    const double lower = x[place];
    while (count < x.size() / 2 + 1) count += drawn[++place];
    medians.push_back(0.5 * (lower + x[place]));
  }
  return medians;
}

// log(median of arm / median of reference), both resampled.
Estimate unpaired_medians(const Series& arm, const Series& reference) {
  auto ratios = log_ratios(resampled_medians(arm, 1), resampled_medians(reference, 2));
  std::sort(ratios.begin(), ratios.end());
  const double tail = 0.5 * (1 - kDefaultConfidence);
  return {std::log(median(arm) / median(reference)), quantile_of_sorted(ratios, tail), quantile_of_sorted(ratios, 1 - tail),
          arm.size()};
}

struct Design {
  const char* name;
  const char* words;
  Estimate (*estimate)(const Campaign& campaign);  // of the log ratio
};

constexpr std::array kDesigns{
    Design{"separate_launches_medians", "A and B in launches of their own, medians of steps, bootstrap",
           [](const Campaign& c) { return unpaired_medians(c.apart, c.first); }},
    Design{"sequential_means", "A then B in one launch, means of steps",
           [](const Campaign& c) { return unpaired_means(c.then, c.first); }},
    Design{"sequential_medians", "A then B in one launch, medians of steps, bootstrap",
           [](const Campaign& c) { return unpaired_medians(c.then, c.first); }},
    Design{"interleaved_unpaired", "random pairs of blocks, analysed as two unpaired groups, means",
           [](const Campaign& c) { return unpaired_means(c.interleaved.arm_means_s, c.interleaved.reference_means_s); }},
    Design{"paired_means", "random pairs of blocks, block means, paired t",
           [](const Campaign& c) { return t_interval(log_ratios(c.interleaved.arm_means_s, c.interleaved.reference_means_s)); }},
    Design{"paired_medians", "random pairs of blocks, block medians, Hodges-Lehmann and Wilcoxon (this suite)",
           [](const Campaign& c) { return hodges_lehmann(log_ratios(c.interleaved.arm_s, c.interleaved.reference_s)); }},
};

struct Tally {
  int false_positives = 0, covered = 0, detected = 0;
  double squares = 0;
};
using Tallies = std::array<Tally, kDesigns.size()>;

bool holds(const Estimate& estimate, double truth) { return estimate.lo <= truth && truth <= estimate.hi; }

// Two campaigns: of no effect, and of one.
void add_campaigns(std::uint64_t number, Tallies& tallies) {
  const auto null = campaign(0, 2 * number);
  const auto slower = campaign(kEffect, 2 * number + 1);
  for (std::size_t i = 0; i < kDesigns.size(); ++i) {
    const auto of_null = kDesigns[i].estimate(null);
    const auto of_slower = kDesigns[i].estimate(slower);
    tallies[i].false_positives += holds(of_null, 0) ? 0 : 1;
    tallies[i].squares += square(of_null.value);
    tallies[i].covered += holds(of_slower, std::log1p(kEffect)) ? 1 : 0;
    tallies[i].detected += of_slower.lo > 0 ? 1 : 0;
  }
}

}  // namespace

std::vector<DesignRow> simulated_designs(int campaigns) {
  Tallies tallies{};
  for (int i = 0; i < campaigns; ++i) add_campaigns(static_cast<std::uint64_t>(i), tallies);
  const auto share = [&](int count) { return 100.0 * count / campaigns; };
  std::vector<DesignRow> rows;
  for (std::size_t i = 0; i < kDesigns.size(); ++i) {
    const auto& tally = tallies[i];
    rows.push_back({kDesigns[i].name, kDesigns[i].words, campaigns, kSteps, share(tally.false_positives),
                    100 * std::sqrt(tally.squares / campaigns), share(tally.covered), share(tally.detected)});
  }
  return rows;
}

}  // namespace ddpbench
