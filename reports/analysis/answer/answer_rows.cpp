#include "reports/analysis/answer/answer_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/printable.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr int kTableDigits = 2;
constexpr std::size_t kColumnGap = 2;
constexpr std::size_t kMostAnswerRows = 40;

std::string spoken_verdict(const OverheadRow& row) {
  if (row.verdict == verdict::kSlower) return "slower";
  if (row.verdict == verdict::kFaster) return "faster";
  if (row.verdict == verdict::kEquivalent) return "equal within " + margin_text(row.margin_us);
  if (row.verdict == verdict::kAmbiguous) return "open: " + bound_phrase(row);
  return "not measurable";
}

std::string verdict_and_budget(const OverheadRow& row) {
  if (row.budget_verdict.empty()) return spoken_verdict(row);
  return spoken_verdict(row) + "; budget " + plain_text(row.budget_percent) + " %: " + row.budget_verdict;
}

std::string cost_text(const OverheadRow& row) {
  if (std::isnan(row.overhead_us.value)) return "-";
  if (rests_on_mean(row)) {
    const auto mean = told_us(row);
    return estimate_phrase(mean.value, mean.lo, mean.hi) + " on average";
  }
  const auto every_step = by_control(row.overhead_us, row);
  const auto text = estimate_phrase(every_step.value, every_step.lo, every_step.hi);
  if (std::isnan(row.periodic_us.value)) return text;
  return text + " and " + estimate_phrase(row.periodic_us.value, row.periodic_us.lo, row.periodic_us.hi) + " every n-th";
}

std::string share_text(const OverheadRow& row) {
  if (std::isnan(row.overhead_percent.value)) return "-";
  if (rests_on_mean(row)) {
    const auto percent = [&](double us) { return 100 * us / row.step_us; };
    const auto mean = told_us(row);
    return signed_text(percent(mean.value), kTableDigits) + " % " + interval_text(percent(mean.lo), percent(mean.hi));
  }
  const auto percent = by_control(row.overhead_percent, row);
  return signed_text(percent.value, kTableDigits) + " % " + interval_text(percent.lo, percent.hi);
}

AnswerRow answer_row(const std::string& cell, const OverheadRow& row, bool tells_share) {
  const auto reason = row.reason + (row.qualified.empty() ? "" : "; " + row.qualified);
  return {printable(cell),
          printable(row.arm),
          short_duration_text(row.step_us),
          cost_text(row),
          tells_share ? share_text(row) : "-",
          verdict_and_budget(row),
          is_resolved(row) && std::isfinite(row.seen_us) ? short_duration_text(row.seen_us) : "-",  // an open row has its bound
          row.verdict,
          printable(reason)};
}

using Line = std::array<std::string, 7>;
constexpr std::size_t kVerdictColumn = 5;

Line line_of(const AnswerRow& row) { return {row.cell, row.arm, row.step, row.cost, row.share, row.verdict, row.resolves}; }

// Bytes that continue a character take no place on the screen.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// As terminals have them since 1979 (ECMA-48, select graphic rendition).
std::string coloured(const std::string& text, const std::string& key, const TextScreen& screen) {
  if (!screen.has_colour) return text;
  const char* colour = key == verdict::kSlower       ? "31"
                       : key == verdict::kFaster     ? "32"
                       : key == verdict::kEquivalent ? "32"
                                                     : "33";
  return "\033[" + std::string(colour) + "m" + text + "\033[0m";
}

std::string aligned_text(const std::vector<Line>& lines, const std::array<std::size_t, 7>& widths,
                         const std::vector<AnswerRow>& rows, const TextScreen& screen) {
  std::string text;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const auto& word = lines[n][i];
      const bool is_verdict = n > 0 && i == kVerdictColumn;
      text += is_verdict ? coloured(word, rows[n - 1].key, screen) : word;
      if (i + 1 < widths.size()) text += std::string(widths[i] - width_of(word) + kColumnGap, ' ');
    }
    text += '\n';
  }
  return text;
}

std::string stacked_text(const std::vector<AnswerRow>& rows, const TextScreen& screen) {
  std::string text;
  for (const auto& row : rows) {
    text += row.cell + ", " + row.arm + ": " + coloured(row.verdict, row.key, screen) + "\n";
    text += "  " + row.cost + " of a step of " + row.step + "\n";
    text += "  " + row.share + ", resolves " + row.resolves + "\n";
  }
  return text;
}

std::string reasons_text(const std::vector<AnswerRow>& rows) {
  std::string text;
  for (const auto& row : rows) text += "  " + row.cell + ", " + row.arm + ": " + row.reason + "\n";
  return text;
}

}  // namespace

AnswerTable answer_table(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& disturbances) {
  std::vector<const OverheadRow*> subjects;
  for (const auto& row : rows) {
    const bool is_primary = row.clock == entry_of(study.primary_clock).name;
    if (is_primary && study.facts_of(row.arm).is_subject()) subjects.push_back(&row);
  }
  AnswerTable table;
  if (subjects.size() > kMostAnswerRows) {
    std::stable_sort(subjects.begin(), subjects.end(), [](const auto* a, const auto* b) { return badness(*a) > badness(*b); });
    table.left_out = subjects.size() - kMostAnswerRows;
    subjects.resize(kMostAnswerRows);
  }
  const bool tells = tells_shares(study, disturbances);
  for (const auto* row : subjects) table.rows.push_back(answer_row(study.label_of(row->cell_id), *row, tells));
  return table;
}

std::string table_text(const AnswerTable& table, const TextScreen& screen, bool with_reasons) {
  const auto& rows = table.rows;
  if (rows.empty()) return "";
  std::vector<Line> lines{{"cell", "arm", "reference step", "cost per step", "share of the step", "verdict", "resolves"}};
  for (const auto& row : rows) lines.push_back(line_of(row));
  std::array<std::size_t, 7> widths{};
  std::size_t width = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (const auto& line : lines) widths[i] = std::max(widths[i], width_of(line[i]));
    width += widths[i] + (i == 0 ? 0 : kColumnGap);
  }
  const bool fits = screen.columns == 0 || width <= screen.columns;
  auto text = fits ? aligned_text(lines, widths, rows, screen) : stacked_text(rows, screen);
  if (table.left_out > 0)
    text += "the worst " + std::to_string(rows.size()) + "; " + std::to_string(table.left_out) + " more are in overhead.csv\n";
  return text + (with_reasons ? reasons_text(rows) : "");
}

}  // namespace ddpbench
