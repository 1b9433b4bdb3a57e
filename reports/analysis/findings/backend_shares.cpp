#include "reports/analysis/findings/backend_shares.hpp"

#include <limits>
#include <tuple>

#include "reports/analysis/findings/collective_cases.hpp"
#include "suite/contract/collectives.hpp"

namespace ddpbench {
namespace {

constexpr double kShareUsPerSecond = 1e6;

// One round's times of one backend, seconds.
struct ShareRound {
  double step = kNotMeasured, compute = kNotMeasured, ideal = kNotMeasured, slowest_ideal = kNotMeasured;
  double alone = kNotMeasured, floor = kNotMeasured;                 // the buckets by themselves
  double fastest_step = kNotMeasured, fastest_alone = kNotMeasured;  // of the backend that is compared with

  double exposed() const { return step - compute; }
  double backend() const { return alone - floor; }
  double ddp() const { return ideal - compute; }
  double skew() const { return slowest_ideal - ideal; }
  double overlap() const { return exposed() - floor - backend() - ddp() - skew(); }
};

using ShareRounds = std::map<std::string, std::map<std::int64_t, ShareRound>>;  // by launch

const CollectiveSamples& samples_of(const CollectiveCaseSamples& one, const std::string& arm) {
  static const CollectiveSamples none;
  const auto found = one.by_arm.find(arm);
  return found == one.by_arm.end() ? none : found->second;
}

void note_times(ShareRounds& rounds, const CollectiveSamples& samples, double ShareRound::*member,
                double CollectiveSampleRow::*value = &CollectiveSampleRow::wall_s) {
  for (const auto* sample : samples) rounds[sample->launch_id][sample->round].*member = sample->*value;
}

// A model's buckets within a step, and by themselves.
struct BucketCases {
  const CollectiveCaseSamples& step;
  const CollectiveCaseSamples& alone;
  std::string fastest, floor;

  ShareRounds rounds_of(const std::string& backend) const {
    ShareRounds rounds;
    note_times(rounds, samples_of(step, backend), &ShareRound::step);
    note_times(rounds, samples_of(step, kComputeArm), &ShareRound::compute);
    note_times(rounds, samples_of(step, kIdealArm), &ShareRound::ideal);
    note_times(rounds, samples_of(step, kIdealArm), &ShareRound::slowest_ideal, &CollectiveSampleRow::slowest_s);
    note_times(rounds, samples_of(alone, backend), &ShareRound::alone);
    note_times(rounds, samples_of(alone, floor), &ShareRound::floor);
    note_times(rounds, samples_of(step, fastest), &ShareRound::fastest_step);
    note_times(rounds, samples_of(alone, fastest), &ShareRound::fastest_alone);
    return rounds;
  }
};

template <class Value>
Estimate estimate_us(const ShareRounds& rounds, Value value) {
  LaunchPairs pairs;
  for (const auto& [launch, of_launch] : rounds) {
    std::vector<double> values;
    for (const auto& [number, round] : of_launch) {
      if (const double v = value(round) * kShareUsPerSecond; std::isfinite(v)) values.push_back(v);
    }
    if (!values.empty()) pairs.push_back(std::move(values));
  }
  return location_over_launches(pairs);
}

// "" where none of the case's arms is such a one.
template <class IsSuch>
std::string fastest_arm(const CollectiveCaseSamples& one, IsSuch is_such) {
  std::string fastest;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& arm : one.arms) {
    if (!is_such(arm)) continue;
    const double time = location_over_launches(by_launch(one.by_arm.at(arm), [](const auto& row) { return row.wall_s; })).value;
    if (time < least) std::tie(fastest, least) = std::pair(arm, time);
  }
  return fastest;
}

// The fastest of the library's own calls: no backend over it can take less. Where there is none, the backend that is the reference.
std::string floor_of(const CollectiveCaseSamples& alone) {
  return fastest_arm(alone, [&](const std::string& arm) {
    const auto& role = alone.by_arm.at(arm).front()->role;
    return role == collective_role::kBare || role == collective_role::kReference;
  });
}

void fill_shares(BackendShareRow& row, const ShareRounds& rounds) {
  const auto fill = [&](double BackendShareRow::*value, double BackendShareRow::*lo, double BackendShareRow::*hi, auto of_round) {
    const auto estimate = estimate_us(rounds, of_round);
    std::tie(row.*value, row.*lo, row.*hi) = std::tuple(estimate.value, estimate.lo, estimate.hi);
  };
  using Row = BackendShareRow;
  using Round = ShareRound;
  fill(&Row::step_us, &Row::step_us_lo, &Row::step_us_hi, [](const Round& round) { return round.step; });
  fill(&Row::exposed_us, &Row::exposed_us_lo, &Row::exposed_us_hi, [](const Round& round) { return round.exposed(); });
  fill(&Row::floor_us, &Row::floor_us_lo, &Row::floor_us_hi, [](const Round& round) { return round.floor; });
  fill(&Row::backend_us, &Row::backend_us_lo, &Row::backend_us_hi, [](const Round& round) { return round.backend(); });
  fill(&Row::ddp_us, &Row::ddp_us_lo, &Row::ddp_us_hi, [](const Round& round) { return round.ddp(); });
  fill(&Row::skew_us, &Row::skew_us_lo, &Row::skew_us_hi, [](const Round& round) { return round.skew(); });
  fill(&Row::overlap_us, &Row::overlap_us_lo, &Row::overlap_us_hi, [](const Round& round) { return round.overlap(); });
  if (row.backend == row.fastest) return;
  fill(&Row::beyond_fastest_us, &Row::beyond_fastest_us_lo, &Row::beyond_fastest_us_hi,
       [](const Round& round) { return round.step - round.fastest_step; });
  fill(&Row::alone_beyond_us, &Row::alone_beyond_us_lo, &Row::alone_beyond_us_hi,
       [](const Round& round) { return round.alone - round.fastest_alone; });
}

BackendShareRow share_row(const CollectiveCaseKey& key, const BucketCases& cases, const std::string& backend) {
  const auto& blocks = cases.step.by_arm.at(backend);
  BackendShareRow row;
  std::tie(row.nodes, row.ranks_per_node) = std::pair(key.nodes, key.ranks_per_node);
  row.world_size = row.nodes * row.ranks_per_node;
  std::tie(row.bucket_cap, row.bytes, row.messages) = std::tuple(key.bucket_cap, key.bytes, blocks.front()->messages);
  std::tie(row.backend, row.floor_arm, row.fastest) = std::tuple(backend, cases.floor, cases.fastest);
  const auto rounds = cases.rounds_of(backend);
  fill_shares(row, rounds);
  row.rounds = static_cast<std::int64_t>(blocks.size());
  row.launches = static_cast<std::int64_t>(rounds.size());
  return row;
}

// The only case of these buckets by themselves; nullptr: not measured.
const CollectiveCaseSamples* alone_beside(const CollectiveCases& cases, CollectiveCaseKey step) {
  step.collective = std::string(entry_of(Collective::kAllReduce).name);
  return cases.find(step);
}

}  // namespace

std::vector<BackendShareRow> backend_share_rows(std::span<const CollectiveSampleRow> samples) {
  const CollectiveCases cases(samples);
  std::vector<BackendShareRow> rows;
  for (const auto& key : cases.order()) {
    const auto* alone = key.collective == kStepCase ? alone_beside(cases, key) : nullptr;
    if (alone == nullptr) continue;
    const auto& step = *cases.find(key);
    const BucketCases both{step, *alone, fastest_arm(step, is_backend_arm), floor_of(*alone)};
    for (const auto& arm : step.arms) {
      if (is_backend_arm(arm)) rows.push_back(share_row(key, both, arm));
    }
  }
  return rows;
}

}  // namespace ddpbench
