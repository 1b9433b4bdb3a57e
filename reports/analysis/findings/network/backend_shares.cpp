#include "reports/analysis/findings/network/backend_shares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include "reports/analysis/findings/network/collective_cases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/vocabulary/collectives.hpp"
#include "suite/estimates/over_launches.hpp"

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
  double beyond_fastest() const { return step - fastest_step; }
  double alone_beyond() const { return alone - fastest_alone; }
  bool is_whole() const { return std::isfinite(overlap()); }
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
  double of_fastest = kDefaultConfidence, of_floor = kDefaultConfidence;  // of intervals that rest on which arm is the fastest

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
    for (auto& [launch, of_launch] : rounds) std::erase_if(of_launch, [](const auto& round) { return !round.second.is_whole(); });
    std::erase_if(rounds, [](const auto& launch) { return launch.second.empty(); });
    return rounds;
  }
};

template <class Value>
Estimate estimate_us(const ShareRounds& rounds, Value value, double confidence = kDefaultConfidence) {
  LaunchPairs pairs;
  for (const auto& [launch, of_launch] : rounds) {
    std::vector<double> values;
    for (const auto& [number, round] : of_launch) {
      if (const double v = value(round) * kShareUsPerSecond; std::isfinite(v)) values.push_back(v);
    }
    if (!values.empty()) pairs.push_back(std::move(values));
  }
  return location_over_launches(pairs, confidence);
}

// Of those arms, the one that no other is faster than, paired by round; "" where there is none.
template <class IsSuch>
std::string fastest_arm(const CollectiveCaseSamples& one, IsSuch is_such) {
  std::string fastest;
  for (const auto& arm : one.arms) {
    if (!is_such(arm)) continue;
    ShareRounds rounds;
    note_times(rounds, samples_of(one, arm), &ShareRound::step);
    note_times(rounds, samples_of(one, fastest), &ShareRound::fastest_step);
    const double beyond_us = estimate_us(rounds, [](const ShareRound& round) { return round.beyond_fastest(); }).value;
    if (fastest.empty() || beyond_us < 0) fastest = arm;
  }
  return fastest;
}

// What moves these buckets: a library's own call, or a backend. Not a copy, and not the reference once more.
bool may_be_floor(const CollectiveCaseSamples& alone, const std::string& arm) {
  const std::string_view role = alone.by_arm.at(arm).front()->role;
  return role == collective_role::kBare || role == collective_role::kReference || role == collective_role::kBackend;
}

template <class IsSuch>
std::size_t count_arms(const CollectiveCaseSamples& one, IsSuch is_such) {
  return static_cast<std::size_t>(std::count_if(one.arms.begin(), one.arms.end(), is_such));
}

// Bonferroni over all that could be reported: any pair of arms, since any may be the fastest, in any bucket size.
double confidence_of_fastest(std::size_t arms, std::size_t cases) {
  return bonferroni_confidence(kDefaultConfidence, std::max<std::size_t>(1, arms * (arms - 1) / 2) * cases);
}

// Any of so many arms could have been the floor, in any of the buckets.
double confidence_of_floor(std::size_t arms, std::size_t cases) {
  return bonferroni_confidence(kDefaultConfidence, arms * cases);
}

void fill_shares(BackendShareRow& row, const ShareRounds& rounds, const BucketCases& cases) {
  const auto fill = [&](Estimate BackendShareRow::*share, auto of_round, double confidence = kDefaultConfidence) {
    row.*share = estimate_us(rounds, of_round, confidence);
  };
  using Row = BackendShareRow;
  using Round = ShareRound;
  fill(&Row::step_us, [](const Round& round) { return round.step; });
  fill(&Row::exposed_us, [](const Round& round) { return round.exposed(); });
  fill(
      &Row::floor_us, [](const Round& round) { return round.floor; }, cases.of_floor);
  fill(
      &Row::backend_us, [](const Round& round) { return round.backend(); }, cases.of_floor);
  fill(&Row::ddp_us, [](const Round& round) { return round.ddp(); });
  fill(&Row::skew_us, [](const Round& round) { return round.skew(); });
  fill(
      &Row::overlap_us, [](const Round& round) { return round.overlap(); }, cases.of_floor);
  if (row.backend == row.floor_arm) row.backend_us = {};
  const double own_us = row.backend == row.floor_arm ? 0 : row.backend_us.value;
  row.remainder_us =
      row.exposed_us.value - row.floor_us.value - own_us - row.ddp_us.value - row.skew_us.value - row.overlap_us.value;
  if (row.backend == row.fastest) return;
  fill(
      &Row::beyond_fastest_us, [](const Round& round) { return round.beyond_fastest(); }, cases.of_fastest);
  fill(
      &Row::alone_beyond_us, [](const Round& round) { return round.alone_beyond(); }, cases.of_fastest);
  fill(
      &Row::beside_beyond_us, [](const Round& round) { return round.beyond_fastest() - round.alone_beyond(); }, cases.of_fastest);
}

BackendShareRow share_row(const CollectiveCaseKey& key, const BucketCases& cases, const std::string& backend) {
  const auto& blocks = cases.step.by_arm.at(backend);
  BackendShareRow row;
  std::tie(row.nodes, row.ranks_per_node) = std::pair(key.nodes, key.ranks_per_node);
  row.world_size = row.nodes * row.ranks_per_node;
  std::tie(row.bucket_cap, row.bytes, row.messages) = std::tuple(key.bucket_cap, key.bytes, blocks.front()->messages);
  std::tie(row.backend, row.floor_arm, row.fastest) = std::tuple(backend, cases.floor, cases.fastest);
  const auto rounds = cases.rounds_of(backend);
  fill_shares(row, rounds, cases);
  for (const auto& [launch, of_launch] : rounds) row.rounds += static_cast<std::int64_t>(of_launch.size());
  row.launches = static_cast<std::int64_t>(rounds.size());
  return row;
}

// The only case of these buckets by themselves; nullptr: not measured.
const CollectiveCaseSamples* alone_beside(const CollectiveCases& cases, CollectiveCaseKey step) {
  step.collective = std::string(entry_of(Collective::kAllReduce).name);
  return cases.find(step);
}

bool same_ranks(const BackendShareRow& a, const BackendShareRow& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node;
}

void mark_shortest(std::vector<BackendShareRow>& rows) {
  for (auto& row : rows) {
    const auto* shortest = &row;
    for (const auto& other : rows) {
      if (same_ranks(other, row) && other.step_us.value < shortest->step_us.value) shortest = &other;
    }
    row.is_shortest = shortest->bucket_cap == row.bucket_cap ? 1 : 0;
  }
}

}  // namespace

std::vector<BackendShareRow> backend_share_rows(std::span<const CollectiveSampleRow> samples) {
  const CollectiveCases cases(samples);
  std::vector<BackendShareRow> rows;
  for (const auto& key : cases.order()) {
    const auto* alone = key.collective == kStepCase ? alone_beside(cases, key) : nullptr;
    if (alone == nullptr) continue;
    const auto& step = *cases.find(key);
    const auto buckets =
        static_cast<std::size_t>(std::count_if(cases.order().begin(), cases.order().end(), [&](const auto& other) {
          return other.collective == kStepCase && other.nodes == key.nodes && other.ranks_per_node == key.ranks_per_node;
        }));
    const auto is_floor = [alone](const std::string& arm) { return may_be_floor(*alone, arm); };
    const BucketCases both{step,
                           *alone,
                           fastest_arm(step, is_backend_arm),
                           fastest_arm(*alone, is_floor),
                           confidence_of_fastest(count_arms(step, is_backend_arm), buckets),
                           confidence_of_floor(count_arms(*alone, is_floor), buckets)};
    for (const auto& arm : step.arms) {
      if (!is_backend_arm(arm)) continue;
      auto row = share_row(key, both, arm);
      if (row.rounds > 0) rows.push_back(std::move(row));
    }
  }
  mark_shortest(rows);
  return rows;
}

namespace {

using Share = BackendShareRow;

const std::array kShareColumns{
    Column<Share>{"nodes", &Share::nodes, "hosts"},
    Column<Share>{"ranks_per_node", &Share::ranks_per_node, "processes per host"},
    Column<Share>{"world_size", &Share::world_size, "ranks"},
    Column<Share>{"bucket_cap", &Share::bucket_cap, "bucket_cap_mb of the step"},
    Column<Share>{"bytes", &Share::bytes, "of the model's gradients", "bytes"},
    Column<Share>{"messages", &Share::messages, "buckets"},
    Column<Share>{"backend", &Share::backend, "who moves them"},
    Column<Share>{"floor_arm", &Share::floor_arm, "the fastest that moves these buckets: a library's own call, or a backend"},
    Column<Share>{"step_us", &Share::step_us, "a forward and a backward, mean over ranks, Hodges-Lehmann over rounds", "us",
                  "95 % bound (Wilcoxon's; over launches t)"},
    Column<Share>{"exposed_us", &Share::exposed_us,
                  "the step less the same without DDP, paired by round; what follows are its shares", "us"},
    Column<Share>{"floor_us", &Share::floor_us, "the same buckets by floor_arm, nothing beside them", "us",
                  "95 % bound; any of the arms could have been the floor, in any of the buckets"},
    Column<Share>{"backend_us", &Share::backend_us,
                  "the same buckets by the backend, beyond the floor; empty: it is the floor itself", "us",
                  "95 % bound; as floor_us"},
    Column<Share>{"ddp_us", &Share::ddp_us, "DDP's own work: its step on a network that takes no time, beyond computing alone",
                  "us"},
    Column<Share>{"skew_us", &Share::skew_us, "of that step the slowest rank's beyond the mean over ranks: what others wait",
                  "us"},
    Column<Share>{"overlap_us", &Share::overlap_us,
                  "what is left: below 0 it is hidden behind the backward, above 0 sending and computing hold each other up",
                  "us", "95 % bound; as floor_us"},
    Column<Share>{"remainder_us", &Share::remainder_us,
                  "what the medians leave: exposed_us less the five shares (a median of sums is no sum of medians)", "us"},
    Column<Share>{"fastest", &Share::fastest, "the backend with the shortest step, same buckets and ranks"},
    Column<Share>{"beyond_fastest_us", &Share::beyond_fastest_us, "the step less that one's, paired by round", "us",
                  "95 % bound; of all backends and buckets together (Bonferroni)"},
    Column<Share>{"alone_beyond_us", &Share::alone_beyond_us, "the buckets by themselves less that one's, paired by round", "us",
                  "95 % bound; as beyond_fastest_us"},
    Column<Share>{"beside_beyond_us", &Share::beside_beyond_us, "beyond_fastest_us less alone_beyond_us, paired by round", "us",
                  "95 % bound; as beyond_fastest_us"},
    Column<Share>{"is_shortest", &Share::is_shortest,
                  "1: of these ranks' bucket sizes the one at which any backend's step is shortest"},
    Column<Share>{"rounds", &Share::rounds, "rounds that have every time"},
    Column<Share>{"launches", &Share::launches, "fresh processes in the estimate"},
};

}  // namespace

template <>
std::span<const Column<BackendShareRow>> columns<BackendShareRow>() {
  return kShareColumns;
}

template <>
std::vector<BackendShareRow> make_finding(const Findings& findings) {
  return backend_share_rows(findings.study.collective_samples);
}

ReportTable backend_shares_table() {
  return report_table<BackendShareRow>("tables/backend_shares.csv",
                                       "what a backend costs a step with one bucket sequence, and whose that is",
                                       [](const Findings& findings, auto& table) {
                                         for (const auto& row : findings.rows<BackendShareRow>()) table.add(row);
                                       });
}

}  // namespace ddpbench
