#include "reports/analysis/regression/comparison_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/analysis/answer/summary.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/aligned_columns.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using ComparedRows = std::vector<const ComparedRow*>;

ComparedRows rows_that_end_as(const BuildComparison& comparison, std::string_view gate) {
  ComparedRows rows;
  for (const auto& row : comparison.rows) {
    if (row.counts && row.gate == gate) rows.push_back(&row);
  }
  return rows;
}

std::string percent_phrase(const ComparedRow& row) {
  return signed_text(row.change_percent.value) + " % " + interval_text(row.change_percent.lo, row.change_percent.hi);
}

std::string change_phrase(const ComparedRow& row) {
  return estimate_phrase(row.change_us.value, row.change_us.lo, row.change_us.hi) + " (" + percent_phrase(row) +
         " of the step of " + short_duration_text(row.step_us) + ")";
}

std::string regression_sentence(const ComparedRow& row) {
  const auto of_clock = " of " + clock_phrase(row.clock);
  const auto how = row.what == compared_what::kStep ? row.arm + "'s step takes longer" : row.arm + " costs more";
  return "Regression: " + how + " in the new build on " + row.label + ": " + change_phrase(row) + of_clock + ".";
}

std::string open_sentence(const ComparedRow& row) {
  auto text = "Open: " + quantity_phrase(row) + " on " + row.label;
  if (row.verdict == verdict::kUnmeasurable) return text + ": " + row.reason + ".";
  text += " changed by " + change_phrase(row);
  if (!std::isnan(row.settle_launches))
    text += "; about " + std::to_string(std::llround(row.settle_launches)) + " launches of each would tell";
  return text + ".";
}

// The widest limit that was tested, percent of the step.
double widest_limit(const BuildComparison& comparison, const ComparedRows& rows) {
  if (comparison.rule.threshold_percent > 0) return comparison.rule.threshold_percent;
  double widest = 0;
  for (const auto* row : rows) widest = std::fmax(widest, 100 * row->margin_us / row->step_us);
  return widest;
}

std::string pass_sentence(const BuildComparison& comparison, const ComparedRows& passed, bool is_all) {
  const auto limit = number_text(widest_limit(comparison, passed), 2) + " % of the step";
  const auto count = counted(static_cast<std::int64_t>(passed.size()), "figure");
  if (is_all) return "No regression: of " + count + " none is slower by more than " + limit + ".";
  return counted(static_cast<std::int64_t>(passed.size()), "other figure") + (passed.size() == 1 ? " is" : " are") +
         " not slower by more than " + limit + ".";
}

constexpr std::size_t kMostTold = 3;

void tell(const ComparedRows& rows, std::string (*sentence)(const ComparedRow&), std::vector<std::string>& sentences) {
  for (std::size_t i = 0; i < std::min(rows.size(), kMostTold); ++i) sentences.push_back(sentence(*rows[i]));
  if (rows.size() > kMostTold) sentences.push_back("… and " + std::to_string(rows.size() - kMostTold) + " more like it.");
}

std::string gate_phrase(const ComparedRow& row) {
  if (row.gate == gate::kRegression) return "REGRESSION";
  if (row.gate == gate::kPass) return row.verdict == verdict::kFaster ? "pass, faster" : "pass";
  return row.gate == gate::kOpen ? "open" : "not judged";
}

// Those that count, and steps that are told beside them on the same clock.
ComparedRows shown_rows(const BuildComparison& comparison) {
  ComparedRows rows;
  const std::string primary = entry_of(comparison.rule.primary_clock).name;
  for (const auto& row : comparison.rows) {
    if (row.counts || (row.what == compared_what::kStep && row.clock == primary)) rows.push_back(&row);
  }
  return rows;
}

std::vector<std::string> words_of_row(const ComparedRow& row) {
  constexpr const char* kNothing = "not measured";
  const auto side = [](double us) { return std::isnan(us) ? kNothing : short_duration_text(us); };
  const bool has_change = !std::isnan(row.change_us.value);
  return {row.label,
          quantity_phrase(row),
          side(row.base_us),
          side(row.new_us),
          has_change ? estimate_phrase(row.change_us.value, row.change_us.lo, row.change_us.hi) : kNothing,
          has_change ? percent_phrase(row) : "-",
          gate_phrase(row)};
}

const std::vector<std::string> kTitles{"cell", "what", "base", "new", "change", "of the step", "gate"};

std::string markdown_table(const ComparedRows& rows) {
  auto text = "| " + join(kTitles, " | ") + " |\n|" + std::string(" --- |");
  for (std::size_t i = 1; i < kTitles.size(); ++i) text += " --- |";
  text += "\n";
  for (const auto* row : rows) {
    auto words = words_of_row(*row);
    for (auto& word : words) {
      for (std::size_t at = 0; (at = word.find('|', at)) != std::string::npos; at += 2) word.replace(at, 1, "\\|");
    }
    text += "| " + join(words, " | ") + " |\n";
  }
  return text;
}

}  // namespace

std::string quantity_phrase(const ComparedRow& row) {
  return row.arm + (row.what == compared_what::kStep ? "'s step" : "'s cost");
}

std::vector<std::string> comparison_sentences(const BuildComparison& comparison) {
  auto regressions = rows_that_end_as(comparison, gate::kRegression);
  const auto open = rows_that_end_as(comparison, gate::kOpen);
  const auto passed = rows_that_end_as(comparison, gate::kPass);
  std::stable_sort(regressions.begin(), regressions.end(),
                   [](const auto* a, const auto* b) { return a->change_percent.value > b->change_percent.value; });
  std::vector<std::string> sentences;
  tell(regressions, regression_sentence, sentences);
  tell(open, open_sentence, sentences);
  if (!passed.empty()) sentences.push_back(pass_sentence(comparison, passed, regressions.empty() && open.empty()));
  if (sentences.empty())
    sentences.emplace_back("Nothing can be compared: the two have no cell in common that both have measured.");
  return sentences;
}

std::string why_no_pass(const BuildComparison& comparison) {
  const auto open = rows_that_end_as(comparison, gate::kOpen).size();
  const auto judged = open + rows_that_end_as(comparison, gate::kPass).size();
  if (!rows_that_end_as(comparison, gate::kRegression).empty() || (judged > 0 && open == 0)) return "";
  const auto what = judged == 0 ? std::string("no figure could be judged")
                                : std::to_string(open) + " of " + counted(static_cast<std::int64_t>(judged), "figure") +
                                      (open == 1 ? " is open" : " are open");
  return "This is no pass: " + what + ". --until settled measures on; --require-verdict fails such a comparison (exit code 4).";
}

std::string comparison_sureness(const BuildComparison& comparison) {
  std::vector<std::string> phrases;
  const auto shown = shown_rows(comparison);
  if (shown.empty()) return "";
  std::int64_t fewest = shown.front()->new_launches;
  for (const auto* row : shown) fewest = std::min({fewest, row->base_launches, row->new_launches});
  phrases.push_back(
      counted(fewest, "launch") + " of each" +
      (comparison.rule.in_turn ? ", in turn on one machine" : ", at different times: steps are told, costs are judged"));
  if (comparison.rule.costs_only) phrases.emplace_back("costs alone are judged, as asked");
  double widest = 0;
  for (const auto* row : shown) widest = std::fmax(widest, row->counts ? 100 * row->resolution_us / row->step_us : 0);
  if (widest > 0) phrases.push_back("resolves " + number_text(widest, 2) + " % of the step or less");
  if (comparison.rule.confidence > kDefaultConfidence)
    phrases.push_back("several looks, so that every interval is of " + plain_text(100 * comparison.rule.confidence) + " %");
  for (const auto& lonely : comparison.only_in_one) phrases.push_back("only in " + lonely);
  return sentences_of(phrases);
}

std::string comparison_text(const BuildComparison& comparison) {
  const auto rows = shown_rows(comparison);
  if (rows.empty()) return "";
  std::vector<std::vector<std::string>> lines{kTitles};
  for (const auto* row : rows) lines.push_back(words_of_row(*row));
  return aligned_columns(lines);
}

std::string comparison_markdown(const BuildComparison& comparison, const SideNames& names) {
  std::string text = "### ddpbench: `" + names.fresh + "` against `" + names.base + "`\n\n";
  for (const auto& sentence : comparison_sentences(comparison)) text += sentence + "\n";
  text += "\n" + markdown_table(shown_rows(comparison));
  const auto sureness = comparison_sureness(comparison);
  if (!sureness.empty()) text += "\nHow sure: " + sureness + "\n";
  if (const auto no_pass = why_no_pass(comparison); !no_pass.empty()) text += "\n**" + no_pass + "**\n";
  ComparedRows others;
  for (const auto& row : comparison.rows) {
    if (!row.counts && !row.verdict.empty()) others.push_back(&row);
  }
  if (!others.empty()) text += "\n<details><summary>On other clocks</summary>\n\n" + markdown_table(others) + "\n</details>\n";
  return text;
}

std::vector<Fom> comparison_foms(const BuildComparison& comparison) {
  std::vector<Fom> foms;
  for (const auto* row : shown_rows(comparison)) {
    foms.push_back({"change_us." + fom_word(row->label) + "." + row->arm + "." + row->what + "." + row->clock,
                    row->change_us.value, "us", row->change_us.lo, row->change_us.hi});
  }
  return foms;
}

}  // namespace ddpbench
