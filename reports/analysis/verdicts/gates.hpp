#pragma once
#include <cmath>
#include <span>
#include <string>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/families.hpp"
#include "reports/analysis/samples/settings.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "reports/analysis/verdicts/sample_size.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Holds what stands beside an OverheadRow when it is judged.
struct Evidence {
  Control aa, control;                  // of the row's family
  bool periodic_planned = false;        // the arm has work of every n-th step, timed or not
  double control_lo_us = kNotMeasured;  // the interval of what was found of its delay
  double control_hi_us = kNotMeasured;
  double cores_per_rank = kNotMeasured;  // NaN: not known
  double budget_percent = 0;             // 0: none was given
  double tick_us = 0;                    // what the clock cannot tell apart: every interval is wider by it on both sides
  // Rank by rank, the lowest lower and the highest upper bound of the ranks' own intervals; NaN: not compared rank by rank.
  double ranks_lo_us = kNotMeasured, ranks_hi_us = kNotMeasured;
  // Before Holm, one-sided; their smaller one is the row's p. NaN: not asked.
  double p_slower = kNotMeasured, p_faster = kNotMeasured;
  // Of super-blocks in which neither block ran right behind a block of either arm: the estimate, one-sided p of no cost and of no
  // gain, p of no cost of the mean step, and p that they do not differ from the others. NaN: none.
  Estimate apart;  // us
  double p_apart_slower = kNotMeasured, p_apart_faster = kNotMeasured, p_apart_mean_slower = kNotMeasured;
  double p_apart_rank_slower = kNotMeasured;  // of the rank that differs most
  double p_neighbours = kNotMeasured;
  bool fastest_step = false;  // costs are of blocks' fastest steps, by the protocol
  // So much the fastest steps may hide of a cost (above 0: the arm's steps scatter more than the reference's) or of a gain.
  double scatter_bias_us = 0;
  SampleSizePlan settling;           // the cheapest way to a verdict
  double significance = kErrorRate;  // CellSettings::significance
};

// Says by which factors figures may be too large or too small, as the positive control tells it: 1 and 1 where it was found as it
// should be, or is not gated. A delay that keeps a core busy also costs what runs behind it (caches, threads that wait for the
// core), the more the busier the host.
struct ControlScale {
  double least = 1, most = 1;
};

// Holds a row under judgement. Intervals are those of the row, wider by the clock's tick and by what the control is off.
struct RowJudgement {
  const OverheadRow& row;
  const ClockEntry& clock;
  const Evidence& evidence;

  Estimate whole() const { return unhidden(widened(whole_us(row))); }  // the cost of the median step, and of every n-th
  Estimate mean() const { return widened(mean_whole_us(row)); }        // the same of the mean step
  Estimate apart() const { return unhidden(widened(with_periodic(evidence.apart, row))); }
  // Says whether what an arm does to the step behind it, or what is done to it, shows: then the bounds hold both estimates.
  bool neighbours_count() const { return evidence.p_neighbours < kErrorRate; }
  Estimate bounds() const;  // of the whole cost, the A/A interval allowed for
  Estimate largest_rank() const { return widened(row.largest_rank_us); }
  double percent(double us) const { return 100 * us / row.step_us; }
  double aa_allowance_us() const { return aa_excludes_zero(row) ? farther_aa_us(row) : 0; }
  bool lies_within_margin(const Estimate& estimate) const {
    return estimate.lo >= -row.margin_us && estimate.hi <= row.margin_us;
  }
  ControlScale scale() const;

 private:
  Estimate widened(const Estimate& e) const;
  Estimate unhidden(Estimate e) const;  // by what fastest steps may hide
};

// Bounds the share of step times that no clock can have read, percent: above it nothing is judged.
inline constexpr double kMostInvalidPercent = 1;

// Returns "" (passed, or not to be checked here) or why the figure has no verdict: the instrument is wrong, or nothing was
// measured. That a run was short is no gate: a wide interval is still a bound (docs/measurement.md, "Verdicts").
using Gate = std::string (*)(const RowJudgement&);
std::string gate_clock(const RowJudgement& j);     // a clock that never bears a verdict
std::string gate_invalid(const RowJudgement& j);   // step times are finite, above 0, and there on every rank
std::string gate_pairs(const RowJudgement& j);     // an interval is there
std::string gate_periodic(const RowJudgement& j);  // … also of the work of every n-th step
std::string gate_control(const RowJudgement& j);   // the injected delay is found, by a factor of 1.5 at most

// Returns the answer of the first gate that fails; "" where all passed.
std::string first_failure(std::span<const Gate> gates, const RowJudgement& j);

// Says which controls were not checked, or are off: "; A/A not checked (no arm raw_again)"; "" where all are as they should be.
std::string controls_text(const RowJudgement& j);

}  // namespace ddpbench
