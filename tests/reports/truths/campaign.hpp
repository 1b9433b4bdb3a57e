#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What a host does to steps, each a share of the step unless said. All ranks share drift and bursts; scatter is a rank's own.
struct HostNoise {
  double drift_sd = 0.02, drift_super_blocks = 25;  // Ornstein-Uhlenbeck over super-blocks
  double two_clocks = 0;                            // steps are so much longer in one half of the time, in spells
  double jitter_sd = 0.02;                          // of a step, on the log
  double autocorrelation = 0.3;                     // of that with the step before
  double burst_share = 0, burst = 0.3;  // of the blocks are hit by others and take so much longer, times an exponential variable
  double stall_share = 0.01, stall = 0.5;  // of the steps; a Pareto variable of shape 2
  double arm_by_launch_sd = 0;             // drawn once per arm and launch: layout, placement
};
HostNoise mild();
HostNoise full();

// A place in a campaign.
struct StepPlace {
  int launch = 0, super_block = 0, rank = 0;
  std::int64_t steps_before = 0;  // of this arm in this launch, discarded ones too
  bool discarded = false;
  std::string arm, previous;  // previous: whose block stood before
  double share_done = 0;      // of the launch's super-blocks
  double lot = 0;             // in [0, 1), of the block: the same for its ranks and steps
};

// What was really done to an arm: microseconds of computing added to a step, microseconds of waiting (on no CPU clock), and a factor on its own noise and length.
struct Effect {
  std::function<double(const StepPlace&)> added_us = [](const StepPlace&) { return 0.0; };
  std::function<double(const StepPlace&)> waited_us = [](const StepPlace&) { return 0.0; };
  std::function<double(const StepPlace&)> factor = [](const StepPlace&) { return 1.0; };
  double jitter_factor = 1;  // of the scatter of arm "trainer", at equal mean
};

struct CampaignPlan {
  double wall_us = 620, cpu_us = 310;  // of a step without noise
  int ranks = 2, launches = 1, super_blocks = 400, cells = 1;
  std::vector<std::string> arms{"raw", "raw_again", "trainer", "injected"};
  HostNoise noise;
  Effect effect;
  double injected_us = 100;
  double slower_rank = 0;      // the last rank's steps are so much longer
  double tick_us = 0;          // what the CPU clock shows: whole ticks
  bool shuffled = true;        // the order of arms
  double disturbed_share = 0;  // of the super-blocks are flagged
  double budget_percent = 0;
  double confidence = 0.95;
  std::vector<double> cell_lengths;  // of each cell, times wall_us and cpu_us; empty: 1
  bool fastest_step = false;         // costs are of blocks' fastest steps
  int discards = 0;                  // 0: one to three, drawn for each super-block; else so many
};

// A results folder's study, drawn from a generator: as read_study makes it of a folder with these samples. Cells are "C1", "C2", ….
Study campaign(const CampaignPlan& plan, std::uint64_t seed);

// Whether a super-block of such a campaign is flagged as disturbed; a function of its number, so that an effect can follow it.
bool is_flagged(const CampaignPlan& plan, int super_block);

}  // namespace ddpbench
