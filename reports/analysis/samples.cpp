#include "reports/analysis/samples.hpp"

#include <algorithm>
#include <cmath>

#include "suite/store/csv_reader.hpp"
#include "suite/vocab/errors.hpp"

namespace ddpbench {
namespace {

constexpr std::array<double StepRow::*, kPhaseCount> kPhaseColumns{
    &StepRow::data_s,      &StepRow::h2d_s,     &StepRow::forward_s, &StepRow::backward_s,
    &StepRow::optimizer_s, &StepRow::wrapper_s, &StepRow::other_s};

// A number that is absurd must not become an allocation of as many blocks.
constexpr std::int64_t kMostSuperBlocks = 100'000'000;
constexpr std::int64_t kMostBlockSteps = 1'000'000;
constexpr std::int64_t kMostRanks = 10'000'000;

ArmSamples& arm_of(LaunchSamples& samples, const std::string& arm) {
  const auto found = std::find_if(samples.arms.begin(), samples.arms.end(), [&](const auto& a) { return a.arm == arm; });
  if (found != samples.arms.end()) return *found;
  samples.arms.emplace_back().arm = arm;
  return samples.arms.back();
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

void add_times(const StepRow& row, ArmSamples& arm) {
  auto& times = element(element(arm.blocks, row.super_block, {}), row.step, no_times<StepTimes>());
  for (const auto& clock : kClocks) {
    if (clock.step_column == nullptr) continue;
    auto& largest = times[index_of(clock.clock)];
    largest = std::fmax(largest, row.*clock.step_column);  // fmax: what was not measured gives way
  }
}

void add_means(const BlockRow& row, std::int64_t block_steps, ArmSamples& arm) {
  auto& times = element(arm.block_means, row.super_block, no_times<BlockTimes>());
  for (const auto& clock : kClocks) {
    auto& largest = times[index_of(clock.clock)];
    largest = std::fmax(largest, row.*clock.block_column / static_cast<double>(block_steps));
  }
}

void require_sane(const std::string& origin, const StepRow& row) {
  const bool sane = row.super_block >= 0 && row.super_block <= kMostSuperBlocks && row.step >= 0 && row.step <= kMostBlockSteps;
  if (row.rank < 0 || row.rank >= kMostRanks) throw UsageError(origin + ": no such rank: " + std::to_string(row.rank));
  if (sane && (row.discarded || row.super_block == 0 || row.step > 0)) return;
  throw UsageError(origin + ": no such super_block and step: " + std::to_string(row.super_block) + ", " +
                   std::to_string(row.step));
}

void add_step(const StepRow& row, ArmSamples& arm) {
  const bool equal_work = row.super_block == 0;
  const bool timed = !equal_work && !row.discarded;
  if (!timed && row.rank == 0 && !std::isnan(row.loss)) {
    arm.losses.push_back({equal_work, equal_work ? row.step : row.super_block, row.loss});
  }
  if (!timed) return;
  add_times(row, arm);
  arm.sums.add(row);
  element(arm.ranks, row.rank + 1, {}).add(row);
}

}  // namespace

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

const ArmSamples* LaunchSamples::find(const std::string& arm) const {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const auto& a) { return a.arm == arm; });
  return found == arms.end() ? nullptr : &*found;
}

void read_step_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples) {
  for_each_csv_row<StepRow>(csv, origin, [&](const StepRow& row) {
    require_sane(origin, row);
    const bool left_out = row.super_block > 0 && row.step > 0 && row.discarded;
    if (left_out) samples.left_out.insert(row.super_block);
    add_step(row, arm_of(samples, row.arm));
  });
}

void read_block_samples(const std::string& csv, const std::string& origin, LaunchSamples& samples) {
  for_each_csv_row<BlockRow>(csv, origin, [&](const BlockRow& row) {
    if (row.super_block < 1 || row.super_block > kMostSuperBlocks) return;
    if (samples.left_out.count(row.super_block) == 0) add_means(row, samples.block_steps, arm_of(samples, row.arm));
    if (row.rank != 0) return;
    element(arm_of(samples, row.arm).block_numbers, row.super_block, 0) = row.block;
    if (!std::isnan(row.wall_s)) samples.host.wall_s += row.wall_s;
    if (row.position != 0) return;  // load and steal stand on every block of their super-block
    if (!std::isnan(row.load)) samples.host.load.push_back(row.load);
    if (!std::isnan(row.steal_s)) samples.host.steal_s += row.steal_s;
  });
}

}  // namespace ddpbench
