#include "reports/analysis/answer/instrumentation.hpp"

#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// What the arm lacks of its reference; empty: that is not all in which it differs, or it is no such arm.
std::vector<std::string> lacking(const Study& study, const std::string& name) {
  const auto& arm = study.facts_of(name);
  return arm.role == ArmRole::kProbe && arm.added.empty() ? arm.removed : std::vector<std::string>{};
}

std::string cost_phrase(const Study& study, const Cell& cell, const OverheadRow& row) {
  const auto where = cell.families.size() == 1 ? "every arm" : "every arm that is compared with " + row.reference;
  return "instrumentation (" + join(lacking(study, row.arm), " + ") + ") costs " +
         estimate_phrase(-row.overhead_us.value, -row.overhead_us.hi, -row.overhead_us.lo) + " per step of " +
         clock_phrase(row.clock) + " in " + where + " alike";
}

// On the host's CPU, which knows arms without stamps too; where a device is what a step waits for, on its clock.
bool is_measured(const Study& study, const OverheadRow& row) {
  const auto clock = study.primary_clock == Clock::kDevice ? Clock::kDevice : Clock::kThreadCpu;
  return row.clock == entry_of(clock).name && std::isfinite(row.overhead_us.value) && !lacking(study, row.arm).empty();
}

}  // namespace

std::vector<std::string> instrumentation_phrase(const Study& study, const std::vector<OverheadRow>& rows) {
  std::vector<std::string> sentences;
  for (const auto& row : rows) {
    if (is_measured(study, row))
      sentences.push_back(study.label_of(row.cell_id) + ": " + cost_phrase(study, study.cell_of(row.cell_id), row));
  }
  return sentences;
}

}  // namespace ddpbench
