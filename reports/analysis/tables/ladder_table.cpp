#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct LadderTableRow {
  std::string cell_id, clock, base, kind, feature, arm, reference;
  Estimate cost_us;
  std::int64_t pairs = 0, launches = 0;
  double remainder_us = kNotMeasured;
};

using RungRow = LadderTableRow;
const std::array kLadderColumns{
    Column<RungRow>{"cell_id", &RungRow::cell_id, "one combination of every axis except arm"},
    Column<RungRow>{"clock", &RungRow::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<RungRow>{"base", &RungRow::base, "the arm whose features are put on one by one"},
    Column<RungRow>{
        "kind", &RungRow::kind,
        "cumulative: an arm less the rung below; total: the last arm less raw; leave_one_out: the last arm less the same "
        "without one feature; interaction: the total less all leave_one_out figures; language: the same loop in Python less it "
        "in C++"},
    Column<RungRow>{"feature", &RungRow::feature,
                    "what the arm has and its reference has not, joined by +; of a first rung the base stands first"},
    Column<RungRow>{"arm", &RungRow::arm, "the arm that is compared"},
    Column<RungRow>{"reference", &RungRow::reference, "with this arm"},
    Column<RungRow>{"cost_us", &RungRow::cost_us, "Hodges-Lehmann estimate of the paired difference, per step", "us",
                    "95 % bound; of leave_one_out, of all features of the arm together"},
    Column<RungRow>{"pairs", &RungRow::pairs, "super-blocks in the estimate"},
    Column<RungRow>{"launches", &RungRow::launches, "fresh processes in the estimate"},
    Column<RungRow>{"remainder_us", &RungRow::remainder_us, "of a total: what the rungs leave of it", "us"},
};

}  // namespace

template <>
std::span<const Column<LadderTableRow>> columns<LadderTableRow>() {
  return kLadderColumns;
}

namespace {

LadderTableRow row_of(const LadderRow& rung) {
  return {.cell_id = rung.cell_id,
          .clock = rung.clock,
          .base = rung.base,
          .kind = rung.kind,
          .feature = rung.feature,
          .arm = rung.arm,
          .reference = rung.reference,
          .cost_us = {rung.cost.us, rung.cost.lo, rung.cost.hi},
          .pairs = rung.cost.pairs,
          .launches = rung.cost.launches,
          .remainder_us = rung.remainder_us};
}

}  // namespace

ReportTable ladder_table() {
  return report_table<LadderTableRow>("tables/ladder.csv", "one rung of one arm's ladder in one cell on one clock",
                                      [](const TableInputs& analysed, auto& table) {
                                        for (const auto& rung : analysed.findings.ladder) table.add(row_of(rung));
                                      });
}

}  // namespace ddpbench
