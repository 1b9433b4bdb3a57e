#include "reports/analysis/findings/sizes/efficiency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "reports/analysis/comparisons/contrast.hpp"
#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

// What the factors are made of, per step.
struct Times {
  double mean_useful_s = kNotMeasured, max_useful_s = kNotMeasured, step_s = kNotMeasured;
  std::int64_t ranks = 0;
  double parallel() const { return mean_useful_s / step_s; }
};

struct StepSum {
  double seconds = 0;
  std::int64_t steps = 0;
};

// A block's steps on the wall clock; NaN where one is missing or no time.
StepSum wall_of(std::span<const StepTimes> block) {
  StepSum sum{block.empty() ? kNotMeasured : 0, static_cast<std::int64_t>(block.size())};
  for (const auto& times : block) {
    const double step_s = times[index_of(Clock::kWall)];
    sum.seconds += step_s > 0 ? step_s : kNotMeasured;
  }
  return sum;
}

// The block is over when its slowest rank is. Step by step the largest would add up what ranks lose and make good again within a block.
StepSum slowest_of(const ArmSamples& arm, std::size_t block) {
  StepSum slowest{-HUGE_VAL, 0};
  for (const auto& rank : arm.ranks) {
    const auto sum = block < rank.steps.size() ? wall_of(rank.steps[block]) : StepSum{kNotMeasured, 0};
    if (!std::isfinite(sum.seconds)) return {};
    if (sum.seconds > slowest.seconds) slowest = sum;
  }
  return arm.ranks.empty() ? StepSum{} : slowest;
}

StepSum wall_of(const ArmSamples& arm) {
  StepSum sum;
  for (std::size_t block = 0; block < blocks_of(arm); ++block) {
    const auto slowest = slowest_of(arm, block);
    sum.seconds += slowest.seconds;
    sum.steps += slowest.steps;
  }
  return sum;
}

// Pooled over launches.
class TimesSum {
 public:
  void add(const ArmSamples& arm) {
    const auto wall = wall_of(arm);
    step_.seconds += wall.seconds;
    step_.steps += wall.steps;
    if (ranks_.size() < arm.ranks.size()) ranks_.resize(arm.ranks.size());
    for (std::size_t rank = 0; rank < arm.ranks.size(); ++rank) ranks_[rank].add(arm.ranks[rank].sums);
  }
  Times times() const {
    Times times;
    times.ranks = static_cast<std::int64_t>(ranks_.size());
    if (step_.steps > 0) times.step_s = step_.seconds / static_cast<double>(step_.steps);
    double sum_s = 0;
    double max_s = 0;
    for (const auto& rank : ranks_) {
      const double useful_s = rank.rows == 0 ? kNotMeasured : rank.useful_s / static_cast<double>(rank.rows);
      sum_s += useful_s;
      max_s = std::max(max_s, useful_s);
    }
    if (ranks_.empty() || std::isnan(sum_s)) return times;
    times.mean_useful_s = sum_s / static_cast<double>(ranks_.size());
    times.max_useful_s = max_s;
    return times;
  }

 private:
  StepSum step_;
  std::vector<RankSums> ranks_;
};

// Where the device computes, the host's stamps are times of enqueuing: what they would say of useful time is not measured.
bool has_useful_times(const Cell& cell, const std::string& arm) { return !cell.family_of(arm).host_only_enqueues(); }

Times pooled_times(const Cell& cell, const std::string& arm) {
  if (!has_useful_times(cell, arm)) return {};
  TimesSum sum;
  for (const auto* launch : cell.launches_with({arm})) sum.add(*launch->samples.find(arm));
  return sum.times();
}

Estimate parallel_over_launches(const Cell& cell, const std::string& arm) {
  std::vector<double> values;
  if (!has_useful_times(cell, arm)) return t_interval(values, cell.settings.confidence);
  for (const auto* launch : cell.launches_with({arm})) {
    TimesSum sum;
    sum.add(*launch->samples.find(arm));
    const double parallel = sum.times().parallel();
    if (std::isfinite(parallel)) values.push_back(parallel);
  }
  return t_interval(values, cell.settings.confidence);
}

class Efficiency {
 public:
  Efficiency(const Study& study, const ScalingPair& pair, std::string arm)
      : study_(study), pair_(pair), times_(pooled_times(*pair.cell, arm)), arm_(std::move(arm)) {}

  // On a device only what an ideal network saves is known.
  bool measured() const {
    return std::isfinite(times_.parallel()) || (!has_useful_times(*pair_.cell, arm_) && !ideal_twin().empty());
  }

  EfficiencyRow row() const {
    EfficiencyRow row;
    row.cell_id = pair_.cell->axes.cell_id;
    row.arm = arm_;
    row.mode = pair_.mode;
    add_factors(row);
    add_ideal(row);
    if (pair_.reference != nullptr) add_scaling(row);
    return row;
  }

 private:
  void add_factors(EfficiencyRow& row) const {
    row.ranks = times_.ranks;
    row.mean_useful_us = 1e6 * times_.mean_useful_s;
    row.max_useful_us = 1e6 * times_.max_useful_s;
    row.step_us = 1e6 * times_.step_s;
    row.load_balance = times_.mean_useful_s / times_.max_useful_s;
    row.communication = times_.max_useful_s / times_.step_s;
    row.parallel = parallel_over_launches(*pair_.cell, arm_);
    row.parallel.value = row.load_balance * row.communication;
    row.launches = static_cast<std::int64_t>(row.parallel.n);
  }

  void add_ideal(EfficiencyRow& row) const {
    const auto ideal = ideal_twin();
    if (ideal.empty()) return;
    row.ideal_arm = ideal;
    const auto of_ideal = pooled_times(*pair_.cell, ideal);
    row.serialisation = of_ideal.max_useful_s / of_ideal.step_s;
    row.transfer = of_ideal.step_s / times_.step_s;
    row.contention = times_.max_useful_s / of_ideal.max_useful_s;
    const std::vector<Term> saved{{arm_, 1}, {ideal, -1}};
    row.exposed_us = contrast(*pair_.cell, saved, pair_.cell->family_of(arm_).attained_clock()).us;
  }

  // The arm of the cell that differs in nothing but the ideal network; "": none.
  std::string ideal_twin() const {
    const auto& arm = study_.facts_of(arm_);
    auto features = arm.features;
    std::sort(features.begin(), features.end());
    for (const auto& name : pair_.cell->arms) {
      const auto& other = study_.facts_of(name);
      if (other.base != arm.base || other.ideal_feature.empty() || !arm.ideal_feature.empty()) continue;
      auto real_features = other.features;
      std::erase(real_features, other.ideal_feature);
      std::sort(real_features.begin(), real_features.end());
      if (real_features == features) return name;
    }
    return "";
  }

  void add_scaling(EfficiencyRow& row) const {
    row.reference_cell = pair_.reference->axes.cell_id;
    const auto base = pooled_times(*pair_.reference, arm_);
    const auto useful_per_sample = [this](const Times& times, const Cell& cell) {
      return times.mean_useful_s * static_cast<double>(cell.world_size()) / static_cast<double>(cell.samples_per_step_of(arm_));
    };
    row.computation_scaling = useful_per_sample(base, *pair_.reference) / useful_per_sample(times_, *pair_.cell);
    row.global = row.parallel.value * row.computation_scaling;
    row.identity_error_percent = 100 * (row.global / base.parallel() / scaled_speedup() - 1);
  }

  // speed-up · p_ref / p, from blocks.csv.gz alone: what the factors are made of are steps.
  double scaled_speedup() const {
    const auto samples_per_s = [&](const Cell& cell) {
      StepSum sum;
      for (const auto* launch : cell.launches_with({arm_})) {
        for (const double log_s : series_of_means(*launch->samples.find(arm_), Clock::kWall).of_means) {
          if (!std::isfinite(log_s)) continue;
          sum.seconds += std::exp(log_s);
          ++sum.steps;
        }
      }
      return static_cast<double>(cell.samples_per_step_of(arm_)) * static_cast<double>(sum.steps) / sum.seconds;
    };
    const double sizes = static_cast<double>(pair_.reference->world_size()) / static_cast<double>(pair_.cell->world_size());
    return samples_per_s(*pair_.cell) / samples_per_s(*pair_.reference) * sizes;
  }

  const Study& study_;
  const ScalingPair& pair_;
  Times times_;
  std::string arm_;
};

}  // namespace

std::vector<EfficiencyRow> efficiency_rows(const Study& study) {
  std::vector<EfficiencyRow> rows;
  for (const auto& pair : scaling_pairs(study)) {
    for (const auto& arm : pair.cell->arms) {
      const Efficiency efficiency(study, pair, arm);
      if (efficiency.measured()) rows.push_back(efficiency.row());
    }
  }
  return rows;
}

std::vector<std::string> identity_failures(const Study& study, const std::vector<EfficiencyRow>& rows) {
  std::vector<std::string> sentences;
  for (const auto& row : rows) {
    if (!(std::fabs(row.identity_error_percent) > kIdentityTolerancePercent)) continue;
    sentences.push_back("efficiency of " + row.arm + " on " + study.label_of(row.cell_id) +
                        ": the factors miss the speed-up by " + signed_text(row.identity_error_percent) + " %, more than " +
                        plain_text(kIdentityTolerancePercent) + " %");
  }
  return sentences;
}

namespace {

using Factors = EfficiencyRow;
const std::array kEfficiencyColumns{
    Column<Factors>{"cell_id", &Factors::cell_id, "one combination of every axis except arm"},
    Column<Factors>{"arm", &Factors::arm, "who drives the step"},
    Column<Factors>{"ranks", &Factors::ranks, "of one launch"},
    Column<Factors>{"launches", &Factors::launches, "fresh processes in the estimate"},
    Column<Factors>{"mean_useful_us", &Factors::mean_useful_us, "U, step less communication wait: mean over ranks", "us"},
    Column<Factors>{"max_useful_us", &Factors::max_useful_us, "U of the rank that has most of it", "us"},
    Column<Factors>{"step_us", &Factors::step_us, "T: mean step, slowest rank of each", "us"},
    Column<Factors>{"load_balance", &Factors::load_balance, "mean U / max U"},
    Column<Factors>{"communication_efficiency", &Factors::communication, "max U / T"},
    Column<Factors>{"parallel_efficiency", &Factors::parallel, "mean U / T, the product of these two", "",
                    "95 % bound (t over launches)"},
    Column<Factors>{"serialisation_efficiency", &Factors::serialisation, "max U / T, both of the arm with an ideal network"},
    Column<Factors>{"transfer_efficiency", &Factors::transfer, "T with an ideal network / T"},
    Column<Factors>{"contention", &Factors::contention, "max U / max U with an ideal network"},
    Column<Factors>{"exposed_us", &Factors::exposed_us,
                    "exposed communication: what the arm with an ideal network saves per step, paired", "us"},
    Column<Factors>{"mode", &Factors::mode, "strong: same global batch, weak: same batch per rank; empty: no other world size"},
    Column<Factors>{"reference_cell", &Factors::reference_cell, "the smallest world size of the group"},
    Column<Factors>{"computation_scaling", &Factors::computation_scaling, "useful time per sample there over here"},
    Column<Factors>{"global_efficiency", &Factors::global, "parallel_efficiency times computation_scaling"},
    Column<Factors>{"identity_error_percent", &Factors::identity_error_percent,
                    "by how much global / global_ref misses speed-up times p_ref / p", "%"},
};

}  // namespace

template <>
std::span<const Column<EfficiencyRow>> columns<EfficiencyRow>() {
  return kEfficiencyColumns;
}

template <>
std::vector<EfficiencyRow> make_finding(const Findings& findings) {
  return efficiency_rows(findings.study);
}

ReportTable efficiency_table() {
  return report_table<EfficiencyRow>("tables/efficiency.csv", "one arm of one cell in one mode",
                                     [](const Findings& findings, auto& table) {
                                       for (const auto& row : findings.rows<EfficiencyRow>()) table.add(row);
                                     });
}

}  // namespace ddpbench
