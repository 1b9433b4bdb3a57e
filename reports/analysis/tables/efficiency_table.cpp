#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

using Factors = EfficiencyRow;
const std::array kEfficiencyColumns{
    Column<Factors>{"cell_id", &Factors::cell_id, "one combination of every axis except arm"},
    Column<Factors>{"arm", &Factors::arm, "who drives the step"},
    Column<Factors>{"ranks", &Factors::ranks, "of one launch"},
    Column<Factors>{"launches", &Factors::launches, "fresh processes in the estimate"},
    Column<Factors>{"mean_useful_us", &Factors::mean_useful_us, "U, step less communication wait: mean over ranks", "us"},
    Column<Factors>{"max_useful_us", &Factors::max_useful_us, "U of the rank that has most of it", "us"},
    Column<Factors>{"step_us", &Factors::step_us, "T: mean step, slowest rank of each", "us"},
    Column<Factors>{"load_balance", &Factors::load_balance, "mean U / max U"},
    Column<Factors>{"communication_efficiency", &Factors::communication, "max U / T"},
    Column<Factors>{"parallel_efficiency", &Factors::parallel, "mean U / T, the product of these two", "",
                    "95 % bound (t over launches)"},
    Column<Factors>{"serialisation_efficiency", &Factors::serialisation, "max U / T, both of the arm with an ideal network"},
    Column<Factors>{"transfer_efficiency", &Factors::transfer, "T with an ideal network / T"},
    Column<Factors>{"contention", &Factors::contention, "max U / max U with an ideal network"},
    Column<Factors>{"exposed_us", &Factors::exposed_us,
                    "exposed communication: what the arm with an ideal network saves per step, paired", "us"},
    Column<Factors>{"mode", &Factors::mode, "strong: same global batch, weak: same batch per rank; empty: no other world size"},
    Column<Factors>{"reference_cell", &Factors::reference_cell, "the smallest world size of the group"},
    Column<Factors>{"computation_scaling", &Factors::computation_scaling, "useful time per image there over here"},
    Column<Factors>{"global_efficiency", &Factors::global, "parallel_efficiency times computation_scaling"},
    Column<Factors>{"identity_error_percent", &Factors::identity_error_percent,
                    "by how much global / global_ref misses speed-up times p_ref / p", "%"},
};

}  // namespace

template <>
std::span<const Column<EfficiencyRow>> columns<EfficiencyRow>() {
  return kEfficiencyColumns;
}

ReportTable efficiency_table() {
  return report_table<EfficiencyRow>("tables/efficiency.csv", "one arm of one cell in one mode",
                                     [](const TableInputs& analysed, auto& table) {
                                       for (const auto& row : analysed.findings.efficiency) table.add(row);
                                     });
}

}  // namespace ddpbench
