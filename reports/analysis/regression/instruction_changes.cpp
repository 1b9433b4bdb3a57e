#include "reports/analysis/regression/instruction_changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

using Change = InstructionChange;
const std::array kInstructionChangeColumns{
    Column<Change>{"cell_id", &Change::cell_id, "the cell, of both sides"},
    Column<Change>{"what", &Change::what, "cost: of an arm beyond its reference; step: of a reference"},
    Column<Change>{"arm", &Change::arm, "the arm, or the reference"},
    Column<Change>{"base", &Change::base, "instructions per step, mean over base's launches"},
    Column<Change>{"new", &Change::fresh, "instructions per step, mean over new's launches"},
    Column<Change>{"change", &Change::change, "new less base", "", "bound (t; costs: Welch)"},
    Column<Change>{"change_percent", &Change::change_percent, "change, share of base's instructions of a step", "%", "its bound"},
    Column<Change>{"aa_lo", &Change::aa_lo, "base measured again less base; else the change of the A/A arm: bound"},
    Column<Change>{"aa_hi", &Change::aa_hi, "its other bound"},
    Column<Change>{"margin", &Change::margin, "changes within count as none"},
    Column<Change>{"base_launches", &Change::base_launches, "of base"},
    Column<Change>{"new_launches", &Change::new_launches, "of new"},
    Column<Change>{"verdict", &Change::verdict, "EQUAL, MORE, FEWER or OPEN; empty: told only"},
    Column<Change>{"reason", &Change::reason, "why nothing can be said"},
};

}  // namespace

template <>
std::span<const Column<InstructionChange>> columns<InstructionChange>() {
  return kInstructionChangeColumns;
}

namespace {

std::string counted_verdict(const ComparedRow& row) {
  static const std::map<std::string, std::string> words{{verdict::kEquivalent, instruction_verdict::kEqual},
                                                        {verdict::kSlower, instruction_verdict::kMore},
                                                        {verdict::kFaster, instruction_verdict::kFewer},
                                                        {verdict::kAmbiguous, instruction_verdict::kOpen}};
  const auto found = words.find(row.verdict);
  return found == words.end() ? instruction_verdict::kNone : found->second;
}

// The comparison speaks of seconds in microseconds: its values stand in it a million times.
InstructionChange change_of_row(const ComparedRow& row) {
  InstructionChange change;
  change.cell_id = row.cell_id;
  change.label = row.label;
  change.what = row.what;
  change.arm = row.arm;
  change.base = 1e-6 * row.base_us;
  change.fresh = 1e-6 * row.new_us;
  change.change = mapped(row.change_us, [](double us) { return 1e-6 * us; });
  change.aa_lo = 1e-6 * row.aa_lo_us;
  change.aa_hi = 1e-6 * row.aa_hi_us;
  change.reference_per_step = 1e-6 * row.step_us;
  change.change_percent = mapped(change.change, [&](double of) { return change.percent(of); });
  change.margin = 1e-6 * row.margin_us;
  change.base_launches = row.base_launches;
  change.new_launches = row.new_launches;
  change.verdict = counted_verdict(row);
  if (row.verdict == verdict::kUnmeasurable) change.reason = row.reason;
  return change;
}

std::string size_of_change(const InstructionChange& change) {
  const auto& percent = change.change_percent;
  return signed_text(percent.value) + " % [" + signed_text(percent.lo) + ", " + signed_text(percent.hi) + "]";
}

std::string changed_quantity(const InstructionChange& change) {
  return change.arm + (change.what == compared_what::kStep ? "'s step" : "'s cost");
}

std::string change_sentence(const InstructionChange& change) {
  return "Counted in instructions, which noise hardly moves, " + changed_quantity(change) +
         (change.verdict == instruction_verdict::kMore ? " grew" : " shrank") + " on " + change.label + ": " +
         size_of_change(change) + " of a step's (" + count_phrase(change.change.value) + ").";
}

}  // namespace

std::vector<InstructionChange> instruction_changes(const std::vector<LaunchValues>& base, const std::vector<LaunchValues>& fresh,
                                                   const std::vector<LaunchValues>& again, const ComparisonRule& rule) {
  auto of_counts = rule;
  of_counts.threshold_percent = 0;
  of_counts.costs_only = false;
  of_counts.primary_clock = Clock::kInstructions;
  std::vector<InstructionChange> changes;
  if (base.empty() || fresh.empty()) return changes;
  for (const auto& row : compare_builds(base, fresh, again, of_counts).rows) changes.push_back(change_of_row(row));
  return changes;
}

std::vector<std::string> instruction_change_sentences(const std::vector<InstructionChange>& changes) {
  constexpr std::size_t kMostChangesTold = 3;
  std::vector<const InstructionChange*> told;
  bool all_equal = !changes.empty(), steps_judged = false;
  for (const auto& change : changes) {
    const bool is_judged = change.verdict != instruction_verdict::kNone;
    all_equal = all_equal && (is_judged ? change.verdict == instruction_verdict::kEqual : change.reason.empty());
    steps_judged = steps_judged || (is_judged && change.what == compared_what::kStep);
    if (change.verdict == instruction_verdict::kMore || change.verdict == instruction_verdict::kFewer) told.push_back(&change);
  }
  std::stable_sort(told.begin(), told.end(),
                   [](const auto* a, const auto* b) { return a->change_percent.value > b->change_percent.value; });
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < std::min(told.size(), kMostChangesTold); ++i) sentences.push_back(change_sentence(*told[i]));
  if (told.size() > kMostChangesTold)
    sentences.push_back("… and " + std::to_string(told.size() - kMostChangesTold) + " more like it.");
  const bool any_judged = std::any_of(changes.begin(), changes.end(), [](const auto& change) { return !change.verdict.empty(); });
  if (any_judged && all_equal) {
    double widest = 0;
    for (const auto& change : changes) widest = std::fmax(widest, change.percent(change.margin));
    sentences.push_back(std::string("Counted in instructions, ") +
                        (steps_judged ? "the two do" : "what arms add to their loops is") + " the same work to within " +
                        number_text(widest, 2) + " % of a step's.");
  }
  return sentences;
}

std::string instruction_change_markdown(const std::vector<InstructionChange>& changes) {
  if (changes.empty()) return "";
  std::string text =
      "\n<details><summary>In instructions</summary>\n\n| cell | what | base | new | change | verdict |\n| --- | --- | --- | --- "
      "| --- | --- |\n";
  for (const auto& change : changes) {
    text += "| " + change.label + " | " + changed_quantity(change) + " | " + count_phrase(change.base) + " | " +
            count_phrase(change.fresh) + " | " + size_of_change(change) + " | " +
            (change.verdict.empty() ? "told only" : change.verdict) + " |\n";
  }
  return text + "\n</details>\n";
}

std::string instruction_changes_csv(const std::vector<InstructionChange>& changes) { return csv_text(changes); }

TableSchema instruction_changes_table() {
  return table_schema<InstructionChange>(kInstructionChangesFile,
                                         "one quantity of both sides of `ddpbench compare`, in instructions of a step");
}

}  // namespace ddpbench
