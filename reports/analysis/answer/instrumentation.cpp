#include "reports/analysis/answer/instrumentation.hpp"

#include <cmath>

#include "reports/analysis/samples/arm_parts.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/arm_name.hpp"

namespace ddpbench {
namespace {

// What the arm lacks of raw; empty: it is no such arm.
std::vector<std::string> lacking(const std::string& arm) {
  auto parts = arm_parts(arm);
  const bool barer_raw = parts.base == kReferenceArm && parts.added.empty();
  return barer_raw ? std::move(parts.removed) : std::vector<std::string>{};
}

std::string cost_words(const std::vector<std::string>& what, const OverheadRow& row) {
  return "instrumentation (" + join(what, " + ") + ") costs " +
         estimate_words(-row.overhead_us, -row.overhead_us_hi, -row.overhead_us_lo) + " per step of " + clock_words(row.clock) +
         " in every arm alike";
}

bool is_measured(const OverheadRow& row, const std::string& clock) {
  return row.clock == clock && std::isfinite(row.overhead_us) && !lacking(row.arm).empty();
}

}  // namespace

std::vector<std::string> instrumentation_words(const Study& study, const std::vector<OverheadRow>& rows) {
  const std::string clock = entry_of(primary_clock(study)).name;
  std::vector<std::string> sentences;
  for (const auto& row : rows) {
    if (is_measured(row, clock)) sentences.push_back(study.label_of(row.cell_id) + ": " + cost_words(lacking(row.arm), row));
  }
  return sentences;
}

std::string instrumentation_clause(const Study& study, const std::vector<OverheadRow>& rows, const Cell& cell) {
  const std::string clock = entry_of(primary_clock(study)).name;
  const OverheadRow* barest = nullptr;
  for (const auto& row : rows) {
    if (row.cell_id != cell.axes.cell_id || !is_measured(row, clock)) continue;
    if (barest == nullptr || lacking(row.arm).size() > lacking(barest->arm).size()) barest = &row;
  }
  return barest == nullptr ? "" : "; " + cost_words(lacking(barest->arm), *barest);
}

}  // namespace ddpbench
