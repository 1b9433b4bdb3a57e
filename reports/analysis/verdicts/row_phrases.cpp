#include "reports/analysis/verdicts/row_phrases.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/clocks.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {

bool is_resolved(const OverheadRow& row) {
  return row.verdict == verdict::kEquivalent || row.verdict == verdict::kSlower || row.verdict == verdict::kFaster;
}

bool aa_excludes_zero(const OverheadRow& row) { return row.aa_lo > 0 || row.aa_hi < 0; }

double farther_aa_us(const OverheadRow& row) { return std::fmax(std::fabs(row.aa_lo), std::fabs(row.aa_hi)); }

bool has_estimate(const OverheadRow& row) { return row.verdict != verdict::kUnmeasurable && !std::isnan(row.overhead_us.value); }

double badness(const OverheadRow& row) { return std::isnan(row.overhead_percent.lo) ? HUGE_VAL : row.overhead_percent.lo; }

std::string bound_phrase(const OverheadRow& row) {
  const auto words = [&](const char* what, double us) {
    return std::string(what) + " at most " + number_text(100 * us / row.step_us, 2) + " % (" + short_duration_text(us) + ")";
  };
  return row.at_most_us > 0 ? words("costs", row.at_most_us) : words("saves", -row.at_least_us);
}

std::string overhead_phrase(const OverheadRow& row) {
  return estimate_phrase(row.overhead_us.value, row.overhead_us.lo, row.overhead_us.hi) + " per step of " +
         clock_phrase(row.clock) + " (" + signed_text(row.overhead_percent.value) + " % " +
         interval_text(row.overhead_percent.lo, row.overhead_percent.hi) + " of the step of " +
         duration_text(1e-6 * row.step_us) + ")" + periodic_phrase(row);
}

std::string periodic_phrase(const OverheadRow& row) {
  if (std::isnan(row.periodic_us.value)) return "";
  return " and " + estimate_phrase(row.periodic_us.value, row.periodic_us.lo, row.periodic_us.hi) +
         " per step for work of every n-th step";
}

std::string clock_phrase(const std::string& clock) {
  const auto found = std::find_if(kClocks.begin(), kClocks.end(), [&](const ClockEntry& entry) { return entry.name == clock; });
  return found == kClocks.end() ? clock : found->words;
}

}  // namespace ddpbench
