#include "reports/analysis/findings/step_parts.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "reports/analysis/findings/sizes/efficiency.hpp"
#include "reports/analysis/findings/step_blocks.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "reports/analysis/verdicts/row_index.hpp"
#include "suite/estimates/quantity.hpp"

namespace ddpbench {
namespace {

constexpr double kMostlySlowest = 0.75;  // of the blocks
constexpr double kLargeBeside = 0.5;     // of the largest part: a smaller one is not named beside it

// A sum over the parts of each block. `is_relative`: as a share of the block's step, in which launches differ less, times the mean step.
struct Measure {
  BlockParts weights;
  bool is_relative = false;
};

constexpr std::size_t kStep = kStepParts, kAllButCompute = kStep + 1, kBeyondMostly = kAllButCompute + 1;
constexpr std::size_t kDifferences = kBeyondMostly + 1;
constexpr std::array<std::pair<StepPart, StepPart>, 6> kPairs{{{StepPart::kCommunication, StepPart::kSkew},
                                                               {StepPart::kCommunication, StepPart::kData},
                                                               {StepPart::kCommunication, StepPart::kHost},
                                                               {StepPart::kSkew, StepPart::kData},
                                                               {StepPart::kSkew, StepPart::kHost},
                                                               {StepPart::kData, StepPart::kHost}}};
constexpr std::size_t kMeasures = kDifferences + kPairs.size();

// The parts first, in their order.
Measure measure_of(std::size_t number) {
  Measure measure{{}, number >= kBeyondMostly};
  if (number < kStepParts) measure.weights[number] = 1;
  if (number == kStep) measure.weights = {1, 1, 1, 1, 1};
  if (number == kAllButCompute) measure.weights = {0, 1, 1, 1, 1};
  if (number == kBeyondMostly) {
    measure.weights.fill(-kMostlyCompute);
    measure.weights[index_of(StepPart::kCompute)] += 1;
  }
  if (number >= kDifferences) {
    measure.weights[index_of(kPairs[number - kDifferences].first)] = 1;
    measure.weights[index_of(kPairs[number - kDifferences].second)] = -1;
  }
  return measure;
}

// What the launches of one arm differ by, by measure.
using Between = std::array<BetweenLaunches, kMeasures>;

// The parts of an arm's steps in a cell, milliseconds.
class PartsOfArm {
 public:
  PartsOfArm(const Cell& cell, std::string arm) : cell_(cell), arm_(std::move(arm)), has_peers_(cell.world_size() > 1) {
    std::vector<std::vector<BlockParts>> launches;
    for (const auto* launch : cell.launches_with({arm_})) add(*launch, launches);
    launches_ = launches.size();
    if (empty()) return;
    measures_[kStep] = quantity(launches, measure_of(kStep));
    for (std::size_t i = 0; i < kMeasures; ++i) measures_[i] = quantity(launches, measure_of(i));
  }

  bool empty() const { return launches_ == 0; }
  std::size_t launches() const { return launches_; }
  bool has_peers() const { return has_peers_; }

  Estimate ms(std::size_t measure) const { return measures_[measure].estimate(); }
  Estimate ms(StepPart part) const { return ms(index_of(part)); }

  // Returns whether the first is surely larger than the second; neither is compute.
  bool is_surely_larger(StepPart one, StepPart other) const {
    for (std::size_t i = 0; i < kPairs.size(); ++i) {
      if (kPairs[i] == std::pair(one, other)) return ms(kDifferences + i).lo > 0;
      if (kPairs[i] == std::pair(other, one)) return ms(kDifferences + i).hi < 0;
    }
    return false;
  }

  void add_to(Between& between) const {
    for (std::size_t i = 0; i < kMeasures; ++i) measures_[i].add_to(between[i], ms(kStep).value);
  }
  void pool(const Between& between) {
    for (std::size_t i = 0; i < kMeasures; ++i) measures_[i].pool(between[i], ms(kStep).value);
  }

  // Milliseconds of a step for which main threads had no core.
  Estimate without_core_ms() const {
    if (delays_.empty()) return {};
    const auto delay_s = Quantity(Location::kMean, delays_, {}, cell_.settings.confidence).estimate();
    return mapped(delay_s, [](double seconds) { return 1e3 * seconds; });
  }

  std::string slowest_rank() const {
    std::size_t blocks = 0;
    for (const auto& [rank, count] : slowest_in_) blocks += count;
    for (const auto& [rank, count] : slowest_in_) {
      if (static_cast<double>(count) >= kMostlySlowest * static_cast<double>(blocks)) return std::to_string(rank);
    }
    return "";
  }

 private:
  void add(const Launch& launch, std::vector<std::vector<BlockParts>>& launches) {
    auto blocks = step_blocks(*launch.samples.find(arm_), launch, cell_.world_size());
    if (blocks.parts.size() < kFewestPairs) return;
    for (const auto rank : blocks.slowest_ranks) ++slowest_in_[rank];
    if (blocks.run_delays_s.size() == blocks.parts.size()) delays_.push_back(std::move(blocks.run_delays_s));
    launches.push_back(std::move(blocks.parts));
  }

  static double sum_of_parts(const BlockParts& parts, const BlockParts& weights) {
    return std::inner_product(parts.begin(), parts.end(), weights.begin(), 0.0);
  }

  Quantity quantity(const std::vector<std::vector<BlockParts>>& launches, const Measure& measure) const {
    LaunchPairs sums;
    for (const auto& blocks : launches) {
      auto& of_launch = sums.emplace_back();
      for (const auto& parts : blocks) {
        const double step_s = sum_of_parts(parts, measure_of(kStep).weights);
        const double factor = measure.is_relative ? ms(kStep).value / step_s : 1e3;
        of_launch.push_back(factor * sum_of_parts(parts, measure.weights));
      }
    }
    return {Location::kMean, sums, {}, cell_.settings.confidence};
  }

  const Cell& cell_;
  std::string arm_;
  bool has_peers_;
  std::size_t launches_ = 0;
  std::array<Quantity, kMeasures> measures_;
  LaunchPairs delays_;
  std::map<std::size_t, std::size_t> slowest_in_;  // rank -> blocks
};

// The parts of which the bottleneck is one: what is not compute, the largest first.
std::vector<StepPart> others_by_size(const PartsOfArm& parts) {
  std::vector<StepPart> others{StepPart::kCommunication, StepPart::kSkew, StepPart::kData, StepPart::kHost};
  std::stable_sort(others.begin(), others.end(), [&](StepPart a, StepPart b) { return parts.ms(a).value > parts.ms(b).value; });
  return others;
}

// The largest of the others, and those that are not surely smaller; compute where it surely is most of the step; both where that is open.
std::vector<StepPart> limiting_parts(const PartsOfArm& parts) {
  const auto beyond = parts.ms(kBeyondMostly);
  if (beyond.lo > 0) return {StepPart::kCompute};
  std::vector<StepPart> found;
  if (!(beyond.hi < 0)) found.push_back(StepPart::kCompute);
  const auto others = others_by_size(parts);
  const auto largest = others.front();
  for (const auto part : others) {
    const bool is_smaller =
        parts.is_surely_larger(largest, part) || parts.ms(part).value < kLargeBeside * parts.ms(largest).value;
    if (part == largest || !is_smaller) found.push_back(part);
  }
  return found;
}

// No part is less than nothing.
Estimate not_below_nothing(Estimate ms) {
  if (ms.lo < 0 && ms.value >= 0) ms.lo = 0;
  return ms;
}

Estimate in_ms(const Estimate& us) {
  return mapped(us, [](double one) { return 1e-3 * one; });
}

// Makes the rows of a study.
class StepPartRows {
 public:
  explicit StepPartRows(const Findings& findings) : study_(findings.study), overhead_(findings.overhead) {
    for (const auto& row : findings.rows<EfficiencyRow>()) {
      if (!row.ideal_arm.empty() && std::isfinite(row.exposed_us.value)) ideals_.try_emplace({row.cell_id, row.arm}, &row);
    }
  }

  std::vector<StepPartRow> take() {
    std::map<std::string, Between> between;  // by arm
    std::deque<PartsOfArm> all;
    for (const auto& cell : study_.cells) {
      for (const auto& arm : cell.arms) {
        if (!cell.family_of(arm).host_only_enqueues()) all.emplace_back(cell, arm).add_to(between[arm]);
      }
    }
    auto parts = all.begin();
    for (const auto& cell : study_.cells) {
      for (const auto& arm : cell.arms) {
        if (cell.family_of(arm).host_only_enqueues()) {
          add_by_ideal(cell, arm);
          continue;
        }
        parts->pool(between[arm]);
        if (!parts->empty()) add_parts(cell, arm, *parts);
        ++parts;
      }
    }
    return std::move(rows_);
  }

 private:
  static StepPartRow blank(const Cell& cell, const std::string& arm, StepPart part) {
    StepPartRow row;
    row.cell_id = cell.axes.cell_id;
    row.arm = arm;
    row.part = kStepPartNames[index_of(part)];
    return row;
  }

  void add_parts(const Cell& cell, const std::string& arm, const PartsOfArm& parts) {
    const auto step_ms = parts.ms(kStep);
    const auto without_core_ms = not_below_nothing(parts.without_core_ms());
    const auto bottleneck = limiting_parts(parts);
    for (std::size_t i = 0; i < kStepParts; ++i) {
      const auto part = static_cast<StepPart>(i);
      const bool is_of_several = part == StepPart::kCommunication || part == StepPart::kSkew;
      if (is_of_several && !parts.has_peers()) continue;
      auto row = blank(cell, arm, part);
      row.ms = not_below_nothing(parts.ms(part));
      row.share = row.ms.value / step_ms.value;
      row.step_ms = step_ms;
      row.is_bottleneck = std::find(bottleneck.begin(), bottleneck.end(), part) != bottleneck.end();
      row.saves_ms = row.ms;
      row.without_core_ms = without_core_ms;
      row.launches = static_cast<std::int64_t>(parts.launches());
      if (part == StepPart::kSkew) row.slowest_rank = parts.slowest_rank();
      if (part == StepPart::kCompute) row.saves_ms = not_below_nothing(parts.ms(kAllButCompute));
      if (part == StepPart::kCommunication) measure_by_ideal(row);
      if (part == StepPart::kHost) measure_by_reference(row);
      rows_.push_back(std::move(row));
    }
  }

  void measure_by_ideal(StepPartRow& row) const {
    const auto found = ideals_.find({row.cell_id, row.arm});
    if (found == ideals_.end()) return;
    row.saves_ms = in_ms(found->second->exposed_us);
    row.measured_by = found->second->ideal_arm;
  }

  // What the arm costs over the loop by hand is its own work.
  void measure_by_reference(StepPartRow& row) const {
    const auto& facts = study_.facts_of(row.arm);
    const auto* cost = overhead_.find(row.cell_id, row.arm, entry_of(study_.primary_clock).name);
    if (facts.is_reference() || cost == nullptr || !std::isfinite(cost->overhead_us.value)) return;
    row.saves_ms = in_ms(cost->overhead_us);
    row.measured_by = facts.reference;
  }

  // The host's stamps are times of enqueuing.
  void add_by_ideal(const Cell& cell, const std::string& arm) {
    auto row = blank(cell, arm, StepPart::kCommunication);
    measure_by_ideal(row);
    if (row.measured_by.empty()) return;
    row.ms = row.saves_ms;
    row.step_ms.value = 1e3 * step_s_of(cell, arm);
    row.share = row.ms.value / row.step_ms.value;
    row.launches = static_cast<std::int64_t>(cell.launches_with({arm, row.measured_by}).size());
    rows_.push_back(std::move(row));
  }

  // The reference's, and what the arm costs beyond it.
  double step_s_of(const Cell& cell, const std::string& arm) const {
    const double step_s = cell.family_of(arm).step_s();
    if (study_.facts_of(arm).is_reference()) return step_s;
    const auto* cost = overhead_.find(cell.axes.cell_id, arm, entry_of(study_.primary_clock).name);
    return cost == nullptr ? kNotMeasured : step_s + 1e-6 * cost->overhead_us.value;
  }

  const Study& study_;
  RowIndex overhead_;
  std::map<std::pair<std::string, std::string>, const EfficiencyRow*> ideals_;
  std::vector<StepPartRow> rows_;
};

const std::array kStepPartColumns{
    Column<StepPartRow>{"cell_id", &StepPartRow::cell_id, "one combination of every axis except arm"},
    Column<StepPartRow>{"arm", &StepPartRow::arm, "who drives the step"},
    Column<StepPartRow>{
        "part", &StepPartRow::part,
        "compute: forward, backward, optimizer; exposed communication: waiting for collectives, less waiting for a "
        "slower rank; data: loader and copies; host: the loop's or framework's own work between"},
    Column<StepPartRow>{"ms", &StepPartRow::ms, "wall, mean over ranks and timed steps; the parts of an arm add up to step_ms",
                        "ms", "95 % bound (t over launches, of one launch over blocks); not below 0"},
    Column<StepPartRow>{"share", &StepPartRow::share, "of step_ms, from 0 to 1"},
    Column<StepPartRow>{"step_ms", &StepPartRow::step_ms, "mean step over ranks; beside a device the median on its clock", "ms",
                        "95 % bound (t over launches, of one launch over blocks)"},
    Column<StepPartRow>{"is_bottleneck", &StepPartRow::is_bottleneck,
                        "1: where the step's time can be saved; several parts where they cannot be told apart"},
    Column<StepPartRow>{"saves_ms", &StepPartRow::saves_ms,
                        "by which the step would be shorter at most without the part; of compute: without all others", "ms"},
    Column<StepPartRow>{"measured_by", &StepPartRow::measured_by,
                        "the arm that shows saves_ms: with an ideal network, or the loop by hand; empty: the part itself"},
    Column<StepPartRow>{"slowest_rank", &StepPartRow::slowest_rank,
                        "of waiting for a slower rank: that which has most to do in three quarters of the blocks"},
    Column<StepPartRow>{"without_core_ms", &StepPartRow::without_core_ms,
                        "of step_ms, in whichever parts: the ranks' main threads could run and had no core", "ms"},
    Column<StepPartRow>{"launches", &StepPartRow::launches, "fresh processes in the estimate"},
};

}  // namespace

template <>
std::span<const Column<StepPartRow>> columns<StepPartRow>() {
  return kStepPartColumns;
}

template <>
std::vector<StepPartRow> make_finding(const Findings& findings) {
  return StepPartRows(findings).take();
}

ReportTable step_parts_table() {
  return report_table<StepPartRow>("tables/step_parts.csv", "one part of one arm's step in one cell",
                                   [](const Findings& findings, auto& table) {
                                     for (const auto& row : findings.rows<StepPartRow>()) table.add(row);
                                   });
}

}  // namespace ddpbench
