#include "reports/analysis/answer/answer.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/answer/instrumentation.hpp"
#include "reports/analysis/answer/law_words.hpp"
#include "reports/analysis/answer/share.hpp"
#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/verdicts/row_index.hpp"
#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

std::string evidence_words(const Study& study, const Cell& cell, const OverheadRow& row) {
  const auto aa = std::isnan(row.aa_lo) ? "not checked" : us_interval_text(row.aa_lo, row.aa_hi);
  return "(" + place_words(cell) + ", " + plain_text(100 * study.settings.confidence) +
         " % interval, n = " + counted(row.pairs, "pair") + " in " + counted(row.launches, "launch") + "; A/A " + aa + ")";
}

// What the figure of the median step does not show by itself: that the row is open, or rests on the mean step or on one rank.
std::string verdict_clause(const OverheadRow& row) {
  const auto whole = whole_us(row);
  const bool shows = row.verdict == verdict::kEquivalent || whole.lo > 0 || whole.hi < 0;
  return is_resolved(row) && shows ? "" : " - " + row.verdict + ": " + row.reason;
}

std::string constant_words(const Study& study, const Cell& cell, const OverheadRow& row) {
  if (std::isnan(row.overhead_us)) return row.arm + " has no estimate on " + place_words(cell) + verdict_clause(row);
  return row.arm + " costs c = " + number_text(row.overhead_us, 2) + " us per step " +
         interval_text(row.overhead_us_lo, row.overhead_us_hi) + " of " + clock_words(row.clock) + periodic_words(row) +
         " over " + reference_words(cell, row.reference) + " " + evidence_words(study, cell, row) + verdict_clause(row);
}

std::string share_words(const OverheadRow& row, double step_s) {
  const auto percent = [&](double us) { return 100e-6 * us / step_s; };
  const auto whole = whole_us(row);
  if (std::max(std::fabs(percent(whole.lo)), std::fabs(percent(whole.hi))) < kNegligiblePercent) return "< 0.001 %";
  return signed_text(percent(whole.value)) + " % " + interval_text(percent(whole.lo), percent(whole.hi));
}

std::string direct_words(const OverheadRow& row) {
  if (std::isnan(row.overhead_us)) return "nothing on " + clock_words(row.clock);
  return overhead_words(row) + " (" + verdict_words(row) + ")";
}

// The clocks of a host that stand beside that of the answer.
std::vector<Clock> other_clocks(Clock primary) {
  std::vector<Clock> found{Clock::kThreadCpu, Clock::kWall};
  std::erase(found, primary);
  return found;
}

std::string direct_measurement(const RowIndex& rows, const Cell& cell, const std::string& arm, Clock primary) {
  auto clocks = other_clocks(primary);
  clocks.insert(clocks.begin(), primary);
  std::vector<std::string> texts;
  for (const auto which : clocks) {
    const auto* row = find_row(rows, cell, arm, which);
    if (row != nullptr) texts.push_back(direct_words(*row));
  }
  return texts.empty() ? "nothing" : join(texts, ", and ");
}

std::string beside_words(const RowIndex& rows, const Cell& cell, const std::string& arm, Clock primary) {
  std::string text;
  for (const auto which : other_clocks(primary)) {
    const auto* row = find_row(rows, cell, arm, which);
    if (row != nullptr) text += "; " + direct_words(*row);
  }
  return text;
}

std::string failure_words(const Study& study) {
  int launches = 0;
  for (const auto& [status, count] : study.counts) launches += count;
  const auto bad = failed_launches(study);
  return bad.empty() ? "" : "; of " + counted(launches, "launch") + ": " + bad;
}

// As share_sentence decides it.
std::string long_step_words(const Span& span, const OverheadRow& row, const OverheadRow* at_longest) {
  const auto by = span.longest.reference == row.reference ? "" : ", by " + span.longest.reference;
  const auto share = told_share(span, row, at_longest);
  if (!is_known(share)) return "";
  const auto how = share.source == ShareSource::kMeasured ? ", measured there"
                   : share.source == ShareSource::kLine   ? ", by the line (" + slope_words(*span.law) + ")"
                                                          : ", if the cost does not grow with the step (s: not measured)";
  return "; of your step of " + duration_text(span.longest.step_s) + " (" + span.longest.cell->label + by + ") that is " +
         percent_words(share.percent) + how;
}

std::string answer_about(const Study& study, const RowIndex& rows, const Span& span, const std::string& arm,
                         const Disturbances& disturbances) {
  const auto clock = study.primary_clock;
  const auto &shortest = span.shortest, &longest = span.longest;
  const auto* row = find_row(rows, *shortest.cell, arm, clock);
  if (row == nullptr) return arm + " was not measured on " + clock_words(entry_of(clock).name);
  auto text = constant_words(study, *shortest.cell, *row);
  if (std::isnan(row->overhead_us)) return text;
  const bool tells = tells_shares(study, disturbances);
  if (shortest.cell == longest.cell) {
    const auto share = "; of its step of " + duration_text(shortest.step_s) + " that is " + share_words(*row, shortest.step_s);
    return text + (tells ? share : "") + beside_words(rows, *shortest.cell, arm, clock);
  }
  if (tells) text += long_step_words(span, *row, find_row(rows, *longest.cell, arm, clock));
  text += "; the direct measurement there says " + direct_measurement(rows, *longest.cell, arm, clock);
  const auto* without = std::isnan(row->periodic_us) ? "" : " (without its work of every n-th step)";
  return span.law == nullptr ? text : text + "; " + law_words(*span.law) + without;
}

std::string reference_only_answer(const Study& study, const std::string& reference) {
  constexpr std::size_t kMostCells = 20;
  auto text = "no arm was compared with " + reference;
  const auto cells = cells_by_step(study, reference);
  for (std::size_t i = 0; i < std::min(cells.size(), kMostCells); ++i) {
    text += "; " + reference + " takes " + duration_text(cells[i].step_s) + " per step (" + place_words(*cells[i].cell) + ")";
  }
  const auto more = cells.size() - std::min(cells.size(), kMostCells);
  return more == 0 ? text : text + "; and " + std::to_string(more) + " more cells in tables/cells.csv";
}

std::string answer_of_family(const Study& study, const RowIndex& rows, const Findings& findings, const std::string& reference) {
  const auto arm = answered_arm(study, reference);
  if (arm.empty()) return reference_only_answer(study, reference);
  const auto span = spans_of(study, rows, findings, arm).front();
  return answer_about(study, rows, span, arm, findings.disturbances) +
         instrumentation_clause(study, rows.rows(), *span.shortest.cell, reference);
}

bool is_bad(const Point& point) { return point.status == status::kFailed || point.status == status::kWrongResult; }

std::string headline(const Cell& cell, const OverheadRow& row) {
  if (std::isnan(row.overhead_us)) return row.arm + " on " + cell.label + ": " + row.verdict + ": " + row.reason;
  const auto besides = row.qualified.empty() ? "" : "; but " + row.qualified;
  return row.arm + " on " + cell.label + ": " + overhead_words(row) + ", " + row.verdict + " (" + row.reason + ")" + besides;
}

std::vector<std::string> judged_words(const Study& study, const RowIndex& rows) {
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

// What the figures of a folder of an earlier release mean.
std::string older_folder_words(const Study& study) {
  constexpr int kFirstWithDrawnDiscards = 5;
  if (study.schema_version >= kFirstWithDrawnDiscards) return "";
  return "this folder was written by an earlier release (schema " + std::to_string(study.schema_version) +
         "): its blocks discard one step each, so work of every n-th step may stand on discarded steps alone; its figures are "
         "judged by "
         "today's rules";
}

std::string first_reason(const Study& study) {
  const auto& points = study.points;
  const auto first = std::find_if(points.begin(), points.end(), [](const Point& point) { return !point.reason.empty(); });
  return first == points.end() ? "" : "; the first: launch " + first->launch_id + ", arm " + first->arm + ": " + first->reason;
}

void append(std::vector<std::string>& sentences, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(sentences));
}

}  // namespace

std::string why_nothing(const Study& study) {
  return study.anything_finished() ? "" : "no launch finished" + failure_words(study);
}

std::string answer_line(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings) {
  if (const auto nothing = why_nothing(study); !nothing.empty()) return nothing + first_reason(study);
  const RowIndex index(rows);
  std::vector<std::string> answers;
  for (const auto& reference : finished_references(study)) answers.push_back(answer_of_family(study, index, findings, reference));
  if (answers.empty()) answers.emplace_back("no step of a reference was timed");
  return join(answers, ". ") + failure_words(study);
}

std::vector<std::string> headlines(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings) {
  std::vector<std::string> sentences;
  for (const auto& point : study.points) {
    if (is_bad(point))
      sentences.push_back("launch " + point.launch_id + ", " + point.arm + ": " + point.status + ": " + point.reason);
  }
  const auto older = older_folder_words(study);
  if (!older.empty()) sentences.push_back(older);
  append(sentences, audit_words(findings.audit));
  append(sentences, identity_failures(study, findings.efficiency));
  append(sentences, judged_words(study, RowIndex(rows)));
  const auto carry_over = carry_over_words(study, findings.carry_over);
  if (!carry_over.empty()) sentences.push_back(carry_over);
  append(sentences, instrumentation_words(study, rows));
  return sentences;
}

}  // namespace ddpbench
