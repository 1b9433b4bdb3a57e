#include "tests/suite/estimates/simulated_launch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace ddpbench {
namespace {

using Block = std::array<double, kSimulatedBlockSteps>;

double block_median_s(Block steps) {
  std::sort(steps.begin(), steps.end());
  constexpr std::size_t kMiddle = kSimulatedBlockSteps / 2;
  return std::sqrt(steps[kMiddle - 1] * steps[kMiddle]);
}

double block_mean_s(const Block& steps) {
  double sum = 0;
  for (const double step : steps) sum += step;
  return sum / static_cast<double>(steps.size());
}

// The arm's steps so far tell when its next extra is due.
class SimulatedArm {
 public:
  SimulatedArm(SimulatedLaunch& launch, const SimulatedCost& cost) : launch_(launch), cost_(cost) {}

  Block run_block() {
    next_step_s();  // discarded
    Block block{};
    for (auto& step : block) step = next_step_s();
    return block;
  }

 private:
  double next_step_s() {
    const bool due = steps_++ % cost_.every == cost_.phase;
    return launch_.step_s(cost_.factor, due ? cost_.extra_s : 0);
  }

  SimulatedLaunch& launch_;
  SimulatedCost cost_;
  int steps_ = 0;
};

template <class Operation>
std::vector<double> pairwise(const std::vector<double>& a, const std::vector<double>& b, Operation operation) {
  std::vector<double> results(a.size());
  std::transform(a.begin(), a.end(), b.begin(), results.begin(), operation);
  return results;
}

}  // namespace

SimulatedLaunch::SimulatedLaunch(const SimulatedHost& host, double length_s, std::uint64_t seed) : host_(host), generator_(seed) {
  slope_per_s_ = (uniform() < 0.5 ? -1 : 1) * host.slope / length_s;
  launch_ = host.launch_sd * normal();
  drift_ = host.drift_sd * normal();
  jitter_ = host.jitter_sd * normal();
  const double always = host.neighbour_on_s + host.neighbour_off_s;
  neighbour_is_there_ = uniform() * always < host.neighbour_on_s;
  neighbour_changes_s_ = -std::log1p(-uniform()) * (neighbour_is_there_ ? host.neighbour_on_s : host.neighbour_off_s);
}

double SimulatedLaunch::uniform() {
  constexpr double kUlp = 0x1p-53;
  return static_cast<double>(generator_() >> 11U) * kUlp;
}

// Box and Muller: the standard library's distribution is another one elsewhere, and tables must not be.
double SimulatedLaunch::normal() {
  has_spare_ = !has_spare_;
  if (!has_spare_) return spare_normal_;
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

void SimulatedLaunch::advance(double seconds) {
  now_s_ += seconds;
  const double kept = std::exp(-seconds / host_.drift_time_s);
  drift_ = kept * drift_ + host_.drift_sd * std::sqrt(1 - kept * kept) * normal();
  const double correlation = host_.jitter_correlation;
  jitter_ = correlation * jitter_ + host_.jitter_sd * std::sqrt(1 - correlation * correlation) * normal();
  while (now_s_ > neighbour_changes_s_) {
    neighbour_is_there_ = !neighbour_is_there_;
    neighbour_changes_s_ -= std::log1p(-uniform()) * (neighbour_is_there_ ? host_.neighbour_on_s : host_.neighbour_off_s);
  }
}

double SimulatedLaunch::step_s(double factor, double extra_s) {
  const double state = launch_ + drift_ + slope_per_s_ * now_s_ + (neighbour_is_there_ ? host_.neighbour : 0) + jitter_;
  const bool stalls = uniform() < host_.stall_share;
  const double stall = stalls ? host_.stall * std::pow(1 - uniform(), -1 / host_.stall_shape) : 0;
  const double seconds = host_.base_s * factor * std::exp(state) + host_.base_s * stall + extra_s;
  advance(seconds);
  return seconds;
}

SimulatedPairs simulated_pairs(SimulatedLaunch& launch, int pairs, const SimulatedCost& cost) {
  SimulatedArm reference(launch, {});
  SimulatedArm arm(launch, cost);
  SimulatedPairs found;
  const auto run_reference = [&] {
    const auto block = reference.run_block();
    found.reference_s.push_back(block_median_s(block));
    found.reference_means_s.push_back(block_mean_s(block));
  };
  for (int i = 0; i < pairs; ++i) {
    const bool reference_first = launch.uniform() < 0.5;
    if (reference_first) run_reference();
    const auto block = arm.run_block();
    found.arm_s.push_back(block_median_s(block));
    found.arm_means_s.push_back(block_mean_s(block));
    if (!reference_first) run_reference();
  }
  return found;
}

std::vector<double> differences(const std::vector<double>& arm, const std::vector<double>& reference) {
  return pairwise(arm, reference, std::minus<>());
}

std::vector<double> log_ratios(const std::vector<double>& arm, const std::vector<double>& reference) {
  return pairwise(arm, reference, [](double a, double b) { return std::log(a / b); });
}

}  // namespace ddpbench
