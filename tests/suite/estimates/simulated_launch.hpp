#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace ddpbench {

// What a host does to steps of `base_s`, each a share of the step: the noises that were seen on shared machines, all at once. 0
// switches one off.
struct SimulatedHost {
  double base_s = 0.1;
  double launch_sd = 0.01;                            // memory layout and placement: one draw per launch
  double drift_sd = 0.03, drift_time_s = 20;          // Ornstein-Uhlenbeck: clocks, temperature
  double slope = 0.03;                                // a linear drift over the launch, up or down
  double neighbour = 0.12;                            // another job …
  double neighbour_on_s = 30, neighbour_off_s = 120;  // … that comes and goes, means of exponential times
  double jitter_sd = 0.02;                            // of one step, on the log
  double jitter_correlation = 0;                      // with the step before
  double stall_share = 0.02;                          // of the steps wait for something …
  double stall = 0.1, stall_shape = 1.5;              // … for this long times a Pareto variable: its variance is infinite
};

// One launch's steps, one after the other. The same seed gives the same launch.
class SimulatedLaunch {
 public:
  // `length_s`: the time over which `slope` is spread.
  SimulatedLaunch(const SimulatedHost& host, double length_s, std::uint64_t seed);

  // Seconds of the next step, whose work is `factor` times the base's; the host's noise scales it, but not the `extra_s` that a
  // wrapper adds.
  double step_s(double factor = 1, double extra_s = 0);

  // In [0, 1).
  double uniform();

 private:
  double normal();
  void advance(double seconds);

  SimulatedHost host_;
  std::mt19937_64 generator_;
  double spare_normal_ = 0;
  bool has_spare_ = false;
  double slope_per_s_, launch_, drift_, jitter_;
  double now_s_ = 0, neighbour_changes_s_ = 0;
  bool neighbour_is_there_ = false;
};

// What an arm does to its steps: `factor` times the work, and `extra_s` in every n-th of its steps, the `phase`-th first.
struct SimulatedCost {
  double factor = 1;
  double extra_s = 0;
  int every = 1;
  int phase = 0;
};

// Block values of the reference and an arm, one per pair, s: medians are exp(median of the log times), as the report's.
struct SimulatedPairs {
  std::vector<double> reference_s, arm_s;
  std::vector<double> reference_means_s, arm_means_s;
};

inline constexpr int kSimulatedBlockSteps = 4;  // timed, after one discarded

// Runs so many pairs of blocks, each pair in random order.
SimulatedPairs simulated_pairs(SimulatedLaunch& launch, int pairs, const SimulatedCost& cost = {});

// arm less reference, pair by pair.
std::vector<double> differences(const std::vector<double>& arm, const std::vector<double>& reference);
std::vector<double> log_ratios(const std::vector<double>& arm, const std::vector<double>& reference);

}  // namespace ddpbench
