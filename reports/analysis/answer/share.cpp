#include "reports/analysis/answer/share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/analysis/answer/law_phrases.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr int kPercentDigits = 2;

// Microseconds as percent of a step of so many seconds.
Estimate percent_of(const Estimate& us, double step_s) {
  const double scale = 100e-6 / step_s;
  return {scale * us.value, scale * us.lo, scale * us.hi, us.n};
}

// Returns an open row's bounds; of an equal row, the larger one to both sides.
Estimate bounds_us(const OverheadRow& row) {
  if (row.verdict != verdict::kEquivalent) return {kNotMeasured, row.at_least_us, row.at_most_us, 0};
  const double most = std::max(std::fabs(row.at_least_us), std::fabs(row.at_most_us));
  return {kNotMeasured, -most, most, 0};
}

// Returns the cost that shows the verdict: the reported one, else the mean step's; NaN where only one rank shows it.
Estimate bearing_us(const OverheadRow& row) {
  const auto shows = [&](const Estimate& us) { return row.verdict == verdict::kFaster ? us.hi < 0 : us.lo > 0; };
  for (const auto& us : {told_us(row), by_control(mean_whole_us(row), row)}) {
    if (shows(us)) return us;
  }
  return {};
}

bool has_bounds_alone(const OverheadRow& row) { return !is_resolved(row) || row.verdict == verdict::kEquivalent; }

// In the row's own percent the error of its step is counted too.
Estimate measured_percent(const OverheadRow& row) {
  const double step_s = 1e-6 * row.step_us;
  if (has_bounds_alone(row)) return percent_of(bounds_us(row), step_s);
  const auto us = bearing_us(row);
  if (us.value != row.overhead_us.value) return percent_of(us, step_s);
  return by_control(row.overhead_percent, row);
}

ReportedShare estimated_share(const Span& span, const OverheadRow& row) {
  const double step_s = span.longest.step_s;
  if (span.law == nullptr)
    return {ShareSource::kConstant, percent_of(has_bounds_alone(row) ? bounds_us(row) : bearing_us(row), step_s), nullptr};
  const auto& law = *span.law;
  const auto us = with_periodic(law.line->band(1e6 * step_s), row);  // the line is of the work of every step
  return {ShareSource::kLine, percent_of(by_control(us, law.least_factor, law.most_factor), step_s), nullptr};
}

// Whether the longest step's own bounds say more than an estimate does: they rule it out, or are no wider.
bool says_more(const Estimate& bounds, const Estimate& estimate) {
  return estimate.lo > bounds.hi || estimate.hi < bounds.lo || bounds.hi - bounds.lo <= estimate.hi - estimate.lo;
}

std::string how_estimated(const ReportedShare& share, const Span& span) {
  auto by = "estimated from the cost on " + span.shortest.cell->label;
  if (share.source == ShareSource::kLine) {
    const bool is_beyond = 1e6 * span.longest.step_s > span.law->points.back().step_us;
    by = "estimated " + by_line_phrase(*span.law) + (is_beyond ? ", beyond the longest of them" : "");
  }
  if (share.at_longest == nullptr) return by + ", not measured";
  const auto there = measured_percent(*share.at_longest);
  if (!std::isfinite(there.hi)) return by + "; the measurement there says nothing";
  if (share.percent.hi > 0 && there.hi > 0)
    return by + ". The measurement there allows at most " + number_text(there.hi, kPercentDigits) + " %";
  const auto bounds = numbers_apart({there.lo, there.hi});
  return by + ". The measurement there allows " + bounds[0] + " to " + bounds[1] + " %";
}

}  // namespace

const char* name_of(ShareSource source) {
  switch (source) {
    case ShareSource::kMeasured: return "measured";
    case ShareSource::kLine: return "line";
    case ShareSource::kConstant: break;
  }
  return "constant";
}

bool is_known(const ReportedShare& share) { return !std::isnan(share.percent.lo) && !std::isnan(share.percent.hi); }

ReportedShare reported_share(const Span& span, const OverheadRow& row, const OverheadRow* at_longest) {
  if (span.shortest.cell == span.longest.cell) return {ShareSource::kMeasured, measured_percent(row), nullptr};
  if (at_longest != nullptr && is_resolved(*at_longest)) return {ShareSource::kMeasured, measured_percent(*at_longest), nullptr};
  auto share = estimated_share(span, row);
  if (at_longest == nullptr) return share;
  const auto there = measured_percent(*at_longest);
  if (says_more(there, share.percent)) return {ShareSource::kMeasured, there, nullptr, true};
  share.at_longest = at_longest;
  return share;
}

std::string percent_phrase(const Estimate& percent) {
  const auto size = without_sign(percent);
  if (std::max(std::fabs(size.lo), std::fabs(size.hi)) < kNegligiblePercent) return "less than 0.001 %";
  if (!(size.lo > 0)) return "at most " + number_text(size.hi, kPercentDigits) + " %";
  if (!is_tellable(size.value, size.lo, size.hi)) {
    const auto bounds = numbers_apart({size.lo, size.hi});
    return "between " + bounds[0] + " and " + bounds[1] + " %";
  }
  const auto told = numbers_apart({size.value, size.lo, size.hi});
  return told[0] + " % (" + told[1] + " to " + told[2] + " %)";
}

std::string share_sentence(const Span& span, const OverheadRow& row, const ReportedShare& share) {
  if (!is_known(share)) return "";
  const auto words = percent_phrase(share.percent);
  const auto step = short_duration_text(1e6 * span.longest.step_s);
  if (span.shortest.cell == span.longest.cell) return "That is " + words + " of its step of " + step + ".";
  const auto by = span.longest.reference == row.reference ? "" : " by " + span.longest.reference;
  const auto of_step = "Of the step of " + span.longest.cell->label + " (" + step + by + ") it ";
  const bool saves = share.percent.hi < 0;
  if (share.source != ShareSource::kMeasured)
    return of_step + (saves ? "would save " : "would cost ") + words + ": " + how_estimated(share, span) + ".";
  if (share.is_open && saves)
    return of_step + "saves at most " + number_text(-share.percent.lo, kPercentDigits) + " %, if anything, measured there.";
  const bool is_probable = share.is_open && share.percent.lo > 0;
  return of_step + (is_probable ? "probably " : "") + (saves ? "saves " : "costs ") + words + ", measured there.";
}

}  // namespace ddpbench
