#include "reports/analysis/samples/samples.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/tables/csv_reader.hpp"

namespace ddpbench {
namespace {

constexpr std::array<double StepRow::*, kPhaseCount> kPhaseColumns{
    &StepRow::data_s,      &StepRow::h2d_s,     &StepRow::forward_s, &StepRow::backward_s,
    &StepRow::optimizer_s, &StepRow::wrapper_s, &StepRow::other_s};

// An absurd number in a file must not make us allocate as many blocks.
// A row has at least so many bytes: a text cannot hold more super-blocks, and one that claims to would fill the memory.
constexpr std::int64_t kLeastRowBytes = 16;
constexpr std::int64_t kMostBlockSteps = 1'000'000;
constexpr std::int64_t kMostRanks = 100'000;     // where the plan does not say it
constexpr std::size_t kMostSteps = 100'000'000;  // of one arm of a launch: 2.4 GB

ArmSamples& arm_of(LaunchSamples& samples, const std::string& arm) {
  const auto found = std::find_if(samples.arms.begin(), samples.arms.end(), [&](const auto& a) { return a.arm == arm; });
  if (found != samples.arms.end()) return *found;
  auto& fresh = samples.arms.emplace_back();
  fresh.arm = arm;
  if (const auto planned = samples.blocks_per_super_block.find(arm); planned != samples.blocks_per_super_block.end()) {
    fresh.blocks_per_super_block = planned->second;
  }
  return fresh;
}

// The arm's block of which the row is, from 1.
template <class Row>
std::int64_t block_of(const ArmSamples& arm, const Row& row, RepeatedBlocks& repeated) {
  const auto last = arm.blocks_per_super_block - 1;
  return (row.super_block - 1) * arm.blocks_per_super_block + 1 + std::min(repeated.place_of(row), last);
}

// The element at position `number` - 1, made when it is not there.
template <class Elements>
auto& element(Elements& elements, std::int64_t number, const typename Elements::value_type& fresh) {
  const auto index = static_cast<std::size_t>(number - 1);
  if (index >= elements.size()) elements.resize(index + 1, fresh);
  return elements[index];
}

template <class Times>
constexpr Times no_times() {
  Times times{};
  times.fill(kNotMeasured);
  return times;
}

RankSamples& rank_of(ArmSamples& arm, std::int64_t rank) { return element(arm.ranks, rank + 1, {}); }

// The steps before the timed ones count down to 0; a block's timed ones stand in their order.
void add_times(const StepRow& row, std::int64_t block_steps, ArmSamples& arm) {
  auto& rank = rank_of(arm, row.rank);
  const auto block = block_of(arm, row, arm.repeated_in_steps);
  auto& times = row.step > 0 ? rank.steps.at(block, row.step) : rank.discarded_steps.at(block, 1 - row.step);
  for (const auto& clock : kClocks) {
    if (clock.step_column != nullptr) times[index_of(clock.clock)] = row.*clock.step_column;
  }
  if (row.step <= 0) return;
  element(arm.block_phases, block, {}).add(row);
  auto& wait_s = element(rank.comm_waits_s, block, kNotMeasured);
  wait_s = (row.step == 1 ? 0 : wait_s) + row.comm_wait_s / static_cast<double>(block_steps);
}

void add_means(const BlockRow& row, std::int64_t block, std::int64_t block_steps, ArmSamples& arm) {
  auto& times = element(rank_of(arm, row.rank).block_means, block, no_times<BlockTimes>());
  for (const auto& clock : kClocks) times[index_of(clock.clock)] = row.*clock.block_column / static_cast<double>(block_steps);
}

// Of an arm that is run several times in a super-block, the first.
void add_loss(const LossPoint& point, ArmSamples& arm) {
  const bool again =
      !arm.losses.empty() && arm.losses.back().equal_work == point.equal_work && arm.losses.back().index == point.index;
  if (!again && !std::isnan(point.loss)) arm.losses.push_back(point);
}

std::int64_t most_super_blocks(const std::string& csv) { return static_cast<std::int64_t>(csv.size()) / kLeastRowBytes; }

void require_rank(const std::string& origin, std::int64_t rank, std::int64_t world_size) {
  if (rank < 0 || rank >= (world_size > 0 ? world_size : kMostRanks)) {
    throw UsageError(origin + ": no such rank: " + std::to_string(rank));
  }
}

void require_sane(const std::string& origin, const StepRow& row, const LaunchSamples& samples) {
  require_rank(origin, row.rank, samples.world_size);
  const bool sane = row.super_block >= 0 && row.super_block <= samples.most_super_blocks && row.step >= kFirstDiscardedStep &&
                    row.step <= kMostBlockSteps;
  if (sane && (row.discarded || row.super_block == 0 || row.step > 0)) return;
  throw UsageError(origin + ": no such super_block and step: " + std::to_string(row.super_block) + ", " +
                   std::to_string(row.step));
}

void add_step(const StepRow& row, const std::string& origin, LaunchSamples& samples) {
  require_sane(origin, row, samples);
  auto& arm = arm_of(samples, row.arm);
  const bool equal_work = row.super_block == 0;
  const bool timed = !equal_work && !row.discarded;
  const bool left_out = !equal_work && row.step > 0 && row.discarded;
  if (left_out) samples.left_out.insert(row.super_block);
  if (!timed && row.rank == 0) add_loss({equal_work, equal_work ? row.step : row.super_block, row.loss}, arm);
  if (!equal_work && !left_out) add_times(row, samples.block_steps, arm);
  if (!timed) return;
  arm.sums.add(row);
  rank_of(arm, row.rank).sums.add(row);
}

void add_taking(const BlockRow& row, LaunchSamples& samples) {
  samples.disturbed.insert(row.super_block);
  auto& taken = samples.taken[row.super_block];
  const auto add = [](double& sum, double value) { sum += std::isnan(value) ? 0 : value; };
  add(taken.throttled_s, row.throttled_s);
  add(taken.steal_s, row.steal_s);
  add(taken.foreign_s, row.foreign_cpu_s);
}

void add_block(const BlockRow& row, const std::string& origin, LaunchSamples& samples) {
  require_rank(origin, row.rank, samples.world_size);
  auto& arm = arm_of(samples, row.arm);
  const auto block = block_of(arm, row, arm.repeated_in_blocks);
  if (samples.left_out.count(row.super_block) == 0) add_means(row, block, samples.block_steps, arm);
  samples.super_blocks = std::max(samples.super_blocks, row.super_block);
  if (row.disturbed) add_taking(row, samples);
  if (row.rank != 0) return;
  element(arm.block_numbers, block, 0) = row.block;
  if (!std::isnan(row.wall_s)) samples.host.wall_s += row.wall_s;
  if (!std::isnan(row.load)) samples.host.load.push_back(row.load);
  if (!std::isnan(row.steal_s)) samples.host.steal_s += row.steal_s;
}

template <class Row, class Add>
void for_each_checked_row(const std::string& csv, const std::string& origin, LaunchCheck* check, const Add& add) {
  if (check == nullptr) return for_each_csv_row<Row>(csv, origin, add);
  check->begin<Row>(csv, origin);
  for_each_csv_row<Row>(csv, origin, [&](const Row& row) {
    check->add(row);
    add(row);
  });
  check->end<Row>();
}

}  // namespace

StepTimes& BlockTable::at(std::int64_t number, std::int64_t step) {
  const auto block = static_cast<std::size_t>(number - 1);
  const auto steps = static_cast<std::size_t>(step);
  if (std::max(block + 1, steps_.size()) > kMostSteps / std::max(steps, stride_)) {
    throw UsageError("no launch has " + std::to_string(number) + " blocks of an arm with step " + std::to_string(step));
  }
  if (steps > stride_) widen(steps);
  if (block >= steps_.size()) {
    steps_.resize(block + 1, 0);
    times_.resize(steps_.size() * stride_, no_times<StepTimes>());
  }
  steps_[block] = std::max(steps_[block], steps);
  return times_[block * stride_ + steps - 1];
}

void BlockTable::widen(std::size_t stride) {
  std::vector<StepTimes> wide(steps_.size() * stride, no_times<StepTimes>());
  for (std::size_t block = 0; block < steps_.size(); ++block) {
    std::copy_n(times_.data() + block * stride_, steps_[block], wide.data() + block * stride);
  }
  times_ = std::move(wide);
  stride_ = stride;
}

void PhaseSums::add(const StepRow& row) {
  if (std::isnan(row.step_s)) return;
  step_s += row.step_s;
  ++rows;
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    const double seconds = row.*kPhaseColumns[phase];
    if (std::isnan(seconds)) continue;
    phase_s[phase] += seconds;
    ++phase_rows[phase];
  }
  if (std::isnan(row.comm_wait_s)) return;
  comm_wait_s += row.comm_wait_s;
  ++comm_wait_rows;
}

// Forward and backward are stamped together. What has no h2d or no optimizer of its own has it in another phase.
void BlockPhases::add(const StepRow& row) {
  const auto or_none = [](double seconds) { return std::isnan(seconds) ? 0 : seconds; };
  step_s += row.step_s;
  compute_s += row.forward_s + row.backward_s + or_none(row.optimizer_s);
  data_s += or_none(row.data_s) + or_none(row.h2d_s);
  run_delay_s += row.run_delay_s;
  ++rows;
}

void RankSums::add(const StepRow& row) {
  const double useful = row.step_s - row.comm_wait_s;
  if (!std::isfinite(useful)) return;
  step_s += row.step_s;
  useful_s += useful;
  ++rows;
}

void RankSums::add(const RankSums& other) {
  step_s += other.step_s;
  useful_s += other.useful_s;
  rows += other.rows;
}

void PhaseSums::add(const PhaseSums& other) {
  step_s += other.step_s;
  rows += other.rows;
  comm_wait_s += other.comm_wait_s;
  comm_wait_rows += other.comm_wait_rows;
  for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
    phase_s[phase] += other.phase_s[phase];
    phase_rows[phase] += other.phase_rows[phase];
  }
}

bool ArmSamples::has_times() const {
  return std::any_of(ranks.begin(), ranks.end(),
                     [](const RankSamples& rank) { return !rank.steps.empty() || !rank.block_means.empty(); });
}

const ArmSamples* LaunchSamples::find(const std::string& arm) const {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const auto& a) { return a.arm == arm; });
  return found == arms.end() ? nullptr : &*found;
}

void read_step_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples, LaunchCheck* check) {
  samples.most_super_blocks = most_super_blocks(csv);
  for_each_checked_row<StepRow>(csv, origin, check, [&](const StepRow& row) { add_step(row, origin, samples); });
  for (auto& arm : samples.arms) find_series(arm, samples.world_size, samples.fastest_step);
}

void read_block_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples, LaunchCheck* check) {
  const auto most = most_super_blocks(csv);
  for_each_checked_row<BlockRow>(csv, origin, check, [&](const BlockRow& row) {
    if (row.super_block < 1 || row.super_block > most) return;
    add_block(row, origin, samples);
  });
  for (auto& arm : samples.arms) count_block_times(arm, samples.world_size);
}

}  // namespace ddpbench
