#include "reports/analysis/answer/headlines.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/instrumentation.hpp"
#include "reports/analysis/findings/audit.hpp"
#include "reports/analysis/findings/carry_over.hpp"
#include "reports/analysis/findings/sizes/efficiency.hpp"
#include "reports/analysis/verdicts/row_index.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

bool is_bad(const Point& point) { return point.status == status::kFailed || point.status == status::kWrongResult; }

std::string headline(const Cell& cell, const OverheadRow& row) {
  if (std::isnan(row.overhead_us.value)) return row.arm + " on " + cell.label + ": " + row.verdict + ": " + row.reason;
  const auto besides = row.qualified.empty() ? "" : "; but " + row.qualified;
  return row.arm + " on " + cell.label + ": " + overhead_phrase(row) + ", " + row.verdict + " (" + row.reason + ")" + besides;
}

std::vector<std::string> judged_phrase(const Study& study, const RowIndex& rows) {
  std::vector<std::pair<double, std::string>> judged;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      const auto* row = find_row(rows, cell, arm, study.primary_clock);
      if (row != nullptr && !study.facts_of(arm).is_control()) judged.emplace_back(badness(*row), headline(cell, *row));
    }
  }
  std::stable_sort(judged.begin(), judged.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> sentences;
  for (auto& [how_bad, sentence] : judged) sentences.push_back(std::move(sentence));
  return sentences;
}

void append(std::vector<std::string>& sentences, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(sentences));
}

}  // namespace

std::vector<std::string> headlines(const Findings& findings) {
  const auto& study = findings.study;
  std::vector<std::string> sentences;
  for (const auto& point : study.points) {
    if (is_bad(point))
      sentences.push_back("launch " + point.launch_id + ", " + point.arm + ": " + point.status + ": " + point.reason);
  }
  append(sentences, audit_phrase(findings.rows<AuditRow>()));
  append(sentences, identity_failures(study, findings.rows<EfficiencyRow>()));
  append(sentences, judged_phrase(study, RowIndex(findings.overhead)));
  const auto carry_over = carry_over_phrase(study, findings.rows<CarryOverRow>());
  if (!carry_over.empty()) sentences.push_back(carry_over);
  append(sentences, instrumentation_phrase(study, findings.overhead));
  return sentences;
}

}  // namespace ddpbench
