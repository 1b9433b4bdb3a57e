#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

const std::array kSkewColumns{
    Column<SkewRow>{"cell_id", &SkewRow::cell_id, "one combination of every axis except arm"},
    Column<SkewRow>{"arm", &SkewRow::arm, "who drives the step: a loop by hand"},
    Column<SkewRow>{"rank", &SkewRow::rank, "global rank"},
    Column<SkewRow>{"node_rank", &SkewRow::node_rank, "its node's number in the launch"},
    Column<SkewRow>{"node", &SkewRow::node, "its node's name; several where launches took different ones"},
    Column<SkewRow>{"ratio", &SkewRow::ratio,
                    "what the rank does in a step beside waiting in collectives, over the mean of the ranks", "",
                    "95 % bound (t)"},
    Column<SkewRow>{"samples", &SkewRow::samples, "blocks of all launches"},
    Column<SkewRow>{"launches", &SkewRow::launches, "fresh processes in the estimate"},
};

}  // namespace

template <>
std::span<const Column<SkewRow>> columns<SkewRow>() {
  return kSkewColumns;
}

ReportTable skew_table() {
  return report_table<SkewRow>("tables/skew.csv", "one rank of one cell", [](const TableInputs& analysed, auto& table) {
    for (const auto& row : analysed.findings.skew) table.add(row);
  });
}

}  // namespace ddpbench
