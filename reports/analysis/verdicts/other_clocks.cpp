#include "reports/analysis/verdicts/other_clocks.hpp"

#include <cmath>
#include <map>
#include <string>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using RowsOfArm = std::vector<OverheadRow*>;

std::map<std::string, RowsOfArm> by_arm(std::vector<OverheadRow>& rows) {
  std::map<std::string, RowsOfArm> found;
  for (auto& row : rows) found[row.cell_id + '\n' + row.arm].push_back(&row);
  return found;
}

// Clocks that see what the user waits for. A host that only enqueues for a device does not.
bool sees_waiting(const Study& study, const OverheadRow& row) {
  if (study.primary_clock == Clock::kDevice) return row.clock == clock_name::kDevice;
  return row.clock == clock_name::kWall || row.clock == clock_name::kAwaited;
}

// One that surely has the arm beyond `us` to either side (`below`: to that one too); null: none.
const OverheadRow* contradiction(const Study& study, const OverheadRow& row, const RowsOfArm& rows, double us, bool below) {
  for (const auto* other : rows) {
    if (other == &row || !sees_waiting(study, *other) || other->verdict == verdict::kUnmeasurable) continue;
    if (other->overhead_us.lo > us || (below && other->overhead_us.hi < -us)) return other;
  }
  return nullptr;
}

std::string on_other_clock(const OverheadRow& other) {
  return "; but on " + clock_phrase(other.clock) + " it costs " +
         estimate_phrase(other.overhead_us.value, other.overhead_us.lo, other.overhead_us.hi);
}

// As every row that is open it begins with its bound, which holds what the other clock has.
void take_back(OverheadRow& row, const OverheadRow* other) {
  row.verdict = verdict::kAmbiguous;
  if (other != nullptr) {
    row.at_least_us = std::fmin(row.at_least_us, other->overhead_us.lo);
    row.at_most_us = std::fmax(row.at_most_us, other->overhead_us.hi);
  }
  row.reason = bound_phrase(row) + ": " + row.reason + (other == nullptr ? "" : on_other_clock(*other));
}

bool says_equivalent(const OverheadRow* row) { return row != nullptr && row->verdict == verdict::kEquivalent; }

}  // namespace

void hold_against_other_clocks(const Study& study, std::vector<OverheadRow>& rows) {
  for (auto& [arm, of_arm] : by_arm(rows)) {
    for (auto* row : of_arm) {
      if (row->verdict == verdict::kEquivalent) {
        if (const auto* other = contradiction(study, *row, of_arm, row->margin_us, true)) {
          take_back(*row, other);
        }
      }
      if (row->budget_verdict == budget_verdict::kAccept) {
        if (const auto* other = contradiction(study, *row, of_arm, 1e-2 * row->budget_percent * row->step_us, false)) {
          row->budget_verdict = budget_verdict::kUndecided;
          row->reason += on_other_clock(*other) + ", so that the budget is " + budget_verdict::kUndecided;
        }
      }
    }
    const std::string primary = entry_of(study.primary_clock).name;
    const OverheadRow* first = nullptr;
    for (const auto* row : of_arm) first = row->clock == primary ? row : first;
    for (auto* row : of_arm) {
      if (row->clock != clock_name::kThreadCpu || row->verdict != verdict::kEquivalent || says_equivalent(first)) continue;
      take_back(*row, nullptr);
      row->reason += "; but host CPU does not see what is waited for, and " + clock_phrase(primary) + " does not say so too";
    }
  }
}

}  // namespace ddpbench
