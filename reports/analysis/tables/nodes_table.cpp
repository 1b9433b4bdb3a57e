#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

const std::array kNodeColumns{
    Column<NodeRow>{"node", &NodeRow::node, "its name"},
    Column<NodeRow>{"source", &NodeRow::source, "check: before the sweep; sweep: its own steps"},
    Column<NodeRow>{"started_utc", &NodeRow::started_utc, "of the check, ISO 8601; empty: all launches of the sweep"},
    Column<NodeRow>{"check", &NodeRow::check, "what was compared"},
    Column<NodeRow>{"value", &NodeRow::value, "median over rounds or blocks of the node's slowest rank; seconds, or a count"},
    Column<NodeRow>{"ratio", &NodeRow::ratio, "to the median of the other nodes in the same round or block"},
    Column<NodeRow>{"samples", &NodeRow::samples, "rounds, or blocks of all launches"},
    Column<NodeRow>{"finding", &NodeRow::finding, "ok, slow or broken"},
    Column<NodeRow>{"reason", &NodeRow::reason, "why it is not ok"},
};

}  // namespace

template <>
std::span<const Column<NodeRow>> columns<NodeRow>() {
  return kNodeColumns;
}

ReportTable nodes_table() {
  return report_table<NodeRow>("tables/nodes.csv", "one node in one respect, against the other nodes",
                               [](const TableInputs& analysed, auto& table) {
                                 for (const auto& row : analysed.findings.nodes) table.add(row);
                               });
}

}  // namespace ddpbench
