#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

struct LadderTableRow {
  std::string cell_id, clock, base, kind, feature, arm, reference;
  double cost_us = kNotMeasured, cost_us_lo = kNotMeasured, cost_us_hi = kNotMeasured;
  std::int64_t pairs = 0, launches = 0;
  double remainder_us = kNotMeasured;
};

using Rung = LadderTableRow;
const std::array kLadderColumns{
    Column<Rung>{"cell_id", &Rung::cell_id, "one combination of every axis except arm"},
    Column<Rung>{"clock", &Rung::clock, "wall, thread_cpu, process_cpu or device"},
    Column<Rung>{"base", &Rung::base, "the arm whose features are put on one by one"},
    Column<Rung>{
        "kind", &Rung::kind,
        "cumulative: an arm less the rung below; total: the last arm less raw; leave_one_out: the last arm less the same "
        "without one feature; interaction: the total less all leave_one_out figures"},
    Column<Rung>{"feature", &Rung::feature, "what the arm has and its reference has not, joined by +"},
    Column<Rung>{"arm", &Rung::arm, "the arm that is compared"},
    Column<Rung>{"reference", &Rung::reference, "with this arm"},
    Column<Rung>{"cost_us", &Rung::cost_us, "Hodges-Lehmann estimate of the paired difference, per step", "us"},
    Column<Rung>{"cost_us_lo", &Rung::cost_us_lo, "95 % bound", "us"},
    Column<Rung>{"cost_us_hi", &Rung::cost_us_hi, "95 % bound", "us"},
    Column<Rung>{"pairs", &Rung::pairs, "super-blocks in the estimate"},
    Column<Rung>{"launches", &Rung::launches, "fresh processes in the estimate"},
    Column<Rung>{"remainder_us", &Rung::remainder_us, "of a total: what the rungs leave of it", "us"},
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
          .cost_us = rung.cost.us,
          .cost_us_lo = rung.cost.lo,
          .cost_us_hi = rung.cost.hi,
          .pairs = rung.cost.pairs,
          .launches = rung.cost.launches,
          .remainder_us = rung.remainder_us};
}

}  // namespace

ReportTable ladder_table() {
  return report_table<LadderTableRow>("tables/ladder.csv", "one rung of one arm's ladder in one cell on one clock",
                                      [](const Analysed& analysed, auto& table) {
                                        for (const auto& rung : analysed.findings.ladder) table.add(row_of(rung));
                                      });
}

}  // namespace ddpbench
