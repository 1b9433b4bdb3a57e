#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct InstructionTableRow {
  std::string cell_id, kind, feature, arm, reference;
  double reference_per_step = kNotMeasured;
  Estimate extra;
  Estimate extra_percent;
  double aa_lo = kNotMeasured, aa_hi = kNotMeasured, margin = kNotMeasured;
  std::int64_t pairs = 0, launches = 0;
  std::string verdict, reason;
};

using Counted = InstructionTableRow;
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
std::span<const Column<InstructionTableRow>> columns<InstructionTableRow>() {
  return kInstructionColumns;
}

namespace {

InstructionTableRow table_row_of(const InstructionRow& row) {
  return {.cell_id = row.cell_id,
          .kind = row.kind,
          .feature = row.feature,
          .arm = row.arm,
          .reference = row.reference,
          .reference_per_step = row.reference_per_step,
          .extra = row.extra,
          .extra_percent = mapped(row.extra, [&](double of) { return row.percent(of); }),
          .aa_lo = row.aa_lo,
          .aa_hi = row.aa_hi,
          .margin = row.margin,
          .pairs = row.pairs,
          .launches = row.launches,
          .verdict = row.verdict,
          .reason = row.reason};
}

}  // namespace

ReportTable instructions_table() {
  return report_table<InstructionTableRow>("tables/instructions.csv",
                                           "what one arm or one rung does beyond its reference in one cell, in instructions",
                                           [](const TableInputs& analysed, auto& table) {
                                             for (const auto& row : analysed.findings.instructions) table.add(table_row_of(row));
                                           });
}

}  // namespace ddpbench
