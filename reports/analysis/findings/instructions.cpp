#include "reports/analysis/findings/instructions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "reports/analysis/comparisons/contrast.hpp"
#include "reports/analysis/comparisons/median_metric.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

// Contrasts are of seconds, in microseconds: what a block holds stands in them a million times.
Estimate count_in(const Contrast& found) {
  return mapped(found.us, [](double us) { return 1e-6 * us; });
}

bool lies_inside(const Estimate& inner, const Estimate& outer) { return outer.lo <= inner.lo && inner.hi <= outer.hi; }

// What a row's verdict rests on. `difference` holds together with those of the other arms.
struct BesideCounts {
  Estimate difference, aa;
  bool aa_is_planned = false;
  double extra_collectives = 0;
  bool beside_device = false;
};

double aa_allowance(const Estimate& aa) { return aa.lo > 0 || aa.hi < 0 ? std::fmax(std::fabs(aa.lo), std::fabs(aa.hi)) : 0; }

void judge_count(InstructionRow& row, const BesideCounts& beside) {
  const auto& found = beside.difference;
  row.verdict = instruction_verdict::kOpen;
  if (beside.beside_device) {
    row.verdict = instruction_verdict::kNone;
    row.reason = "shown only: a thread that waits for the device may spin";
    return;
  }
  if (std::isnan(found.lo)) {
    row.reason = "too few pairs for an interval (" + std::to_string(row.pairs) + ")";
    return;
  }
  const Estimate margin{0, -row.margin, row.margin, 0};
  const auto words = "inside ±" + count_phrase(row.margin) + " instructions";
  const bool is_within = lies_inside(found, margin);
  const double allowance = aa_allowance(beside.aa);
  if (is_within && (!beside.aa_is_planned || lies_inside(beside.aa, margin)) && beside.extra_collectives <= 0) {
    row.verdict = instruction_verdict::kEqual;
    row.reason = words + (found.lo > allowance || found.hi < -allowance ? "; a real difference is part of that" : "");
  } else if (found.lo > allowance) {
    row.verdict = instruction_verdict::kMore;
    row.reason = is_within ? words + ", but it issues more collectives, or the A/A arm is not inside" : "beyond chance";
  } else if (found.hi < -allowance) {
    row.verdict = instruction_verdict::kFewer;
    row.reason = "beyond chance";
  } else {
    row.reason = allowance > 0 ? "no farther from 0 than the A/A arm" : "may be none";
  }
}

class InstructionCounts {
 public:
  explicit InstructionCounts(const Study& study) : study_(study) {
    for (const auto& cell : study.cells) {
      for (const auto& family : cell.families) {
        for (const auto& arm : family.arms) subjects_ += study.facts_of(arm).is_subject() ? 1 : 0;
      }
    }
  }

  std::vector<InstructionRow> rows() {
    for (const auto& cell : study_.cells) {
      for (const auto& family : cell.families) {
        if (!family.on(Clock::kInstructions).is_measured) continue;
        for (const auto& arm : family.arms) add_arm(cell, family, arm);
      }
    }
    const std::array clock{entry_of(Clock::kInstructions)};
    for (const auto& rung : ladder_rows(study_, clock)) add_rung(rung);
    return std::move(rows_);
  }

 private:
  static InstructionRow blank(const Cell& cell, const Family& family) {
    InstructionRow row;
    row.cell_id = cell.axes.cell_id;
    row.reference_per_step = family.on(Clock::kInstructions).step_s;
    row.margin = 0.01 * cell.settings.protocol.margin_percent * row.reference_per_step;
    return row;
  }

  static void fill(InstructionRow& row, const Contrast& found) {
    row.extra = count_in(found);
    row.extra_percent = mapped(row.extra, [&](double extra) { return row.percent(extra); });
    row.pairs = found.pairs;
    row.launches = found.launches;
  }

  static std::vector<Term> over(const std::string& arm, const std::string& reference) { return {{arm, 1}, {reference, -1}}; }

  void add_arm(const Cell& cell, const Family& family, const std::string& arm) {
    auto row = blank(cell, family);
    row.kind = instruction_kind::kArm;
    row.arm = arm;
    row.reference = family.reference;
    const auto terms = over(arm, family.reference);
    fill(row, contrast(cell, terms, Clock::kInstructions));
    BesideCounts beside;
    beside.aa_is_planned = family.aa.is_planned;
    if (family.aa.is_planned) beside.aa = count_in(contrast(cell, over(family.aa.name, family.reference), Clock::kInstructions));
    row.aa_lo = beside.aa.lo;
    row.aa_hi = beside.aa.hi;
    const double together = 1 - (1 - cell.settings.confidence) / static_cast<double>(std::max<std::int64_t>(subjects_, 1));
    beside.difference =
        study_.facts_of(arm).is_subject() ? count_in(contrast(cell, terms, Clock::kInstructions, together)) : row.extra;
    const auto collectives = [&](const std::string& of) { return median_metric(cell, of, kMetrics.collectives_per_step); };
    const double extra = collectives(arm) - collectives(family.reference);
    beside.extra_collectives = std::isfinite(extra) ? extra : 0;
    beside.beside_device = family.host_only_enqueues();
    judge_count(row, beside);
    rows_.push_back(std::move(row));
  }

  // A total is the whole arm's row.
  void add_rung(const LadderRow& rung) {
    if (rung.kind == ladder_kind::kTotal) return;
    const auto& cell = study_.cell_of(rung.cell_id);
    auto row = blank(cell, cell.family_of(rung.reference));
    row.kind = rung.kind;
    row.feature = rung.feature;
    row.arm = rung.arm;
    row.reference = rung.reference;
    fill(row, {rung.cost_us, rung.pairs, rung.launches});
    rows_.push_back(std::move(row));
  }

  const Study& study_;
  std::int64_t subjects_ = 0;
  std::vector<InstructionRow> rows_;
};

}  // namespace

std::vector<InstructionRow> instruction_rows(const Study& study) { return InstructionCounts(study).rows(); }

namespace {

using Counted = InstructionRow;
const std::array kInstructionColumns{
    Column<Counted>{"cell_id", &Counted::cell_id, "one combination of every axis except arm"},
    Column<Counted>{"kind", &Counted::kind, "arm: an arm less its reference; all others as in tables/ladder.csv"},
    Column<Counted>{"feature", &Counted::feature, "of a rung: what the arm has and its reference has not"},
    Column<Counted>{"arm", &Counted::arm, "the arm that is compared"},
    Column<Counted>{"reference", &Counted::reference, "with this arm"},
    Column<Counted>{"reference_per_step", &Counted::reference_per_step,
                    "instructions of one step of the family's reference, median over blocks"},
    Column<Counted>{"extra", &Counted::extra, "instructions per step more than the reference's, paired, mean over the ranks", "",
                    "its bound (t over launches; of one launch, Wilcoxon)"},
    Column<Counted>{"extra_percent", &Counted::extra_percent, "extra, share of reference_per_step", "%", "its bound"},
    Column<Counted>{"aa_lo", &Counted::aa_lo, "the A/A arm's extra: bound"},
    Column<Counted>{"aa_hi", &Counted::aa_hi, "its other bound"},
    Column<Counted>{"margin", &Counted::margin, "margin_percent of reference_per_step: differences within count as none"},
    Column<Counted>{"pairs", &Counted::pairs, "super-blocks in the estimate"},
    Column<Counted>{"launches", &Counted::launches, "fresh processes in the estimate"},
    Column<Counted>{"verdict", &Counted::verdict, "EQUAL, MORE, FEWER or OPEN; empty: shown only"},
    Column<Counted>{"reason", &Counted::reason, "what the verdict rests on"},
};

}  // namespace

template <>
std::span<const Column<InstructionRow>> columns<InstructionRow>() {
  return kInstructionColumns;
}

template <>
std::vector<InstructionRow> make_finding(const Findings& findings) {
  return instruction_rows(findings.study);
}

ReportTable instructions_table() {
  return report_table<InstructionRow>("tables/instructions.csv",
                                      "what one arm or one rung does beyond its reference in one cell, in instructions",
                                      [](const Findings& findings, auto& table) {
                                        for (const auto& row : findings.rows<InstructionRow>()) table.add(row);
                                      });
}

}  // namespace ddpbench
