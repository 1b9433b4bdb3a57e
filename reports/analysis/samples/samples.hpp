#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/samples/clocks.hpp"
#include "suite/contract/tables/phase.hpp"
#include "suite/contract/tables/repeated_blocks.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/store/launch_check.hpp"

namespace ddpbench {

// Holds one step of one rank on the clocks that are read at every step.
using StepTimes = std::array<double, kStepClockCount>;

// Holds a block's time per step of one rank on every clock: the block's time in blocks.csv.gz over its number of timed steps.
using BlockTimes = std::array<double, kClockCount>;

// Holds steps of one rank's blocks of an arm, in one piece of memory: a large folder has millions of blocks. Block n stands at n
// - 1.
class BlockTable {
 public:
  std::size_t size() const { return steps_.size(); }
  bool empty() const { return steps_.empty(); }
  // Returns the block's steps in order; empty where it was not run.
  std::span<const StepTimes> operator[](std::size_t block) const { return {times_.data() + block * stride_, steps_[block]}; }

  // Makes the step, and those before it, where they are not there yet: not measured. Both numbers count from 1.
  StepTimes& at(std::int64_t number, std::int64_t step);

 private:
  void widen(std::size_t stride);

  std::vector<std::size_t> steps_;  // of each block
  std::vector<StepTimes> times_;    // stride_ of them for each block
  std::size_t stride_ = 0;
};

// Holds one value per block of the arm, NaN where the block has none.
struct BlockSeries {
  std::vector<double> of_medians;  // median of the block's log step times
  std::vector<double>
      of_fastest;  // log of its fastest step; empty where the protocol does not ask for it, or steps are not told apart
  std::vector<double> of_means;   // log of their arithmetic mean: a cost paid every n-th step counts as cost / n
  std::vector<double> of_ranges;  // log of the longest less the shortest; empty where steps are not told apart

  // Returns what costs are differences of.
  const std::vector<double>& centres() const { return of_fastest.empty() ? of_medians : of_fastest; }
};

// Holds one loss that was read, of rank 0.
struct LossPoint {
  bool equal_work = false;  // else: the discarded step of a super-block
  std::int64_t index = 0;   // of the check's step, or of the super-block
  double loss = kNotMeasured;
};

// Adds over all timed steps of all ranks; what was never measured keeps its count of 0.
struct PhaseSums {
  std::array<double, kPhaseCount> phase_s{};
  std::array<std::int64_t, kPhaseCount> phase_rows{};
  double step_s = 0, comm_wait_s = 0;
  std::int64_t rows = 0, comm_wait_rows = 0;
  void add(const StepRow& row);
  void add(const PhaseSums& other);
};

// Adds over one rank's timed steps that have both a length and a wait.
struct RankSums {
  double step_s = 0, useful_s = 0;  // useful: not blocked in collectives
  std::int64_t rows = 0;
  void add(const StepRow& row);
  void add(const RankSums& other);
};

// Adds over one block's timed steps of all ranks, seconds. NaN: a step's phases were not stamped.
struct BlockPhases {
  double step_s = 0;
  double compute_s = 0;  // forward, backward, optimizer
  double data_s = 0;     // data, h2d
  double run_delay_s = 0;
  std::int64_t rows = 0;
  void add(const StepRow& row);
};

// Holds what one rank measured of an arm. Its blocks are numbered as those of the arm.
struct RankSamples {
  BlockTable steps, discarded_steps;
  BlockSeries thread_cpu;  // of `steps`
  std::vector<BlockTimes> block_means;
  std::vector<double> comm_waits_s;  // of each block, mean over its timed steps; NaN: not measured
  RankSums sums;
};

// Counts times in the files that no clock can have read: not finite, not above 0, or missing on one of the ranks.
struct InvalidTimes {
  std::int64_t invalid = 0, all = 0;
};

// Holds one arm of one launch. Its blocks are numbered over the whole launch: (super_block - 1) * blocks_per_super_block + the
// place in the super-block, from 0; one that was not run is empty, or NaN. An arm whose steps were not stamped has `block_means`
// only.
struct ArmSamples {
  std::string arm;
  std::int64_t blocks_per_super_block = 1;
  std::vector<RankSamples> ranks;
  std::array<BlockSeries, kStepClockCount> series;  // over the ranks, by clock (block_series.hpp)
  std::vector<std::int64_t> block_numbers;          // of each block, counted over the launch: which arm ran before; 0: not known
  std::array<InvalidTimes, kClockCount> times;
  PhaseSums sums;
  std::vector<BlockPhases> block_phases;
  std::vector<LossPoint> losses;                         // rank 0
  RepeatedBlocks repeated_in_steps, repeated_in_blocks;  // while they are read
  bool has_times() const;
};

// Says how busy the host was, from rank 0's blocks.
struct HostLoad {
  std::vector<double> load;        // one-minute average at each super-block's end
  double steal_s = 0, wall_s = 0;  // over all super-blocks
};

// Holds CPU time of the hosts that the ranks did not get, seconds: held back by a quota, given to other machines, taken by other
// programs.
struct CoreTaking {
  double throttled_s = 0, steal_s = 0, foreign_s = 0;
};

// Holds all samples of one launch, in memory.
struct LaunchSamples {
  std::string launch_id;
  std::int64_t block_steps = 1;                                // timed steps of a block, by the protocol
  std::map<std::string, std::int64_t> blocks_per_super_block;  // of the planned arms; of others 1
  bool fastest_step = false;                                   // costs are of blocks' fastest steps, by the protocol
  std::int64_t world_size = 0;                                 // ranks that each block must have; 0: as many as there are
  std::int64_t most_super_blocks = 0;                          // that the text can hold, set while it is read
  std::set<std::int64_t> left_out;           // super-blocks whose steps are all discarded: an update was left out
  std::int64_t super_blocks = 0;             // that have blocks
  std::set<std::int64_t> disturbed;          // super-blocks in which others took cores of one of the hosts
  std::map<std::int64_t, CoreTaking> taken;  // of these, who took them, in all blocks together
  std::vector<ArmSamples> arms;
  HostLoad host;
  const ArmSamples* find(const std::string& arm) const;  // nullptr: none
};

// Reads the steps of one launch from CSV text (header first); `origin` names it in errors (UsageError). To be called first, and
// once: they tell which super-blocks are left out. Hands every row on to the check, where there is one.
void read_step_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples, LaunchCheck* check = nullptr);
// Reads the blocks alike, then counts the times of the clocks that are read once a block.
void read_block_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples, LaunchCheck* check = nullptr);

}  // namespace ddpbench
