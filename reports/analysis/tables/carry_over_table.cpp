#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct CarryOverTableRow {
  std::string cell_id, clock, arm, before, previous;
  Estimate effect_us;
  std::int64_t super_blocks = 0, others = 0;
  double p = kNotMeasured, p_holm = kNotMeasured;
  bool stands_out = false;
};

using Effect = CarryOverTableRow;
const std::array kCarryOverColumns{
    Column<Effect>{"cell_id", &Effect::cell_id, "one combination of every axis except arm"},
    Column<Effect>{"clock", &Effect::clock, "the primary clock, and wall"},
    Column<Effect>{"arm", &Effect::arm, "whose paired difference to the reference is looked at"},
    Column<Effect>{"before", &Effect::before, "the arm or its reference: before whose block"},
    Column<Effect>{"previous", &Effect::previous, "the arm whose block ran there"},
    Column<Effect>{"effect_us", &Effect::effect_us,
                   "difference after `previous` less that after any other arm, of 20 % trimmed means, per step", "us",
                   "95 % bound (t)"},
    Column<Effect>{"super_blocks", &Effect::super_blocks, "in which `previous` ran before"},
    Column<Effect>{"others", &Effect::others, "super-blocks in which another arm did"},
    Column<Effect>{"p", &Effect::p, "two-sided, of no difference (Yuen)"},
    Column<Effect>{"p_holm", &Effect::p_holm, "the same, adjusted by Holm for all rows"},
    Column<Effect>{"stands_out", &Effect::stands_out, "1: p_holm is below 1 - confidence"},
};

}  // namespace

template <>
std::span<const Column<CarryOverTableRow>> columns<CarryOverTableRow>() {
  return kCarryOverColumns;
}

namespace {

CarryOverTableRow row_of(const CarryOverRow& row) {
  const auto& effect = row.effect.difference;
  return {.cell_id = row.cell_id,
          .clock = row.clock,
          .arm = row.arm,
          .before = row.before,
          .previous = row.previous,
          .effect_us = effect,
          .super_blocks = static_cast<std::int64_t>(effect.n),
          .others = row.others,
          .p = row.effect.p,
          .p_holm = row.p_holm,
          .stands_out = row.stands_out};
}

}  // namespace

ReportTable carry_over_table() {
  return report_table<CarryOverTableRow>("tables/carry_over.csv", "one arm after one other in one cell on one clock",
                                         [](const TableInputs& analysed, auto& table) {
                                           for (const auto& row : analysed.findings.carry_over) table.add(row_of(row));
                                         });
}

}  // namespace ddpbench
