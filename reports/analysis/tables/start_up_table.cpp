#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

const std::array kStartUpColumns{
    Column<StartUpRow>{"group", &StartUpRow::group, "what tells its cells from others: workload, strategy, backend, options"},
    Column<StartUpRow>{"cell_id", &StartUpRow::cell_id, "one combination of every axis except arm"},
    Column<StartUpRow>{"nodes", &StartUpRow::nodes, "hosts"},
    Column<StartUpRow>{"ranks_per_node", &StartUpRow::ranks_per_node, "processes per host"},
    Column<StartUpRow>{"world_size", &StartUpRow::world_size, "ranks"},
    Column<StartUpRow>{"seconds", &StartUpRow::seconds,
                       "from the start of a launch's ranks to the end of its first step: median over ranks and launches", "s"},
    Column<StartUpRow>{"shortest_s", &StartUpRow::shortest_s, "of them", "s"},
    Column<StartUpRow>{"longest_s", &StartUpRow::longest_s, "of them", "s"},
    Column<StartUpRow>{"launches", &StartUpRow::launches, "that were timed"},
    Column<StartUpRow>{"growth", &StartUpRow::growth,
                       "p of seconds ~ ranks^p over the group's sizes, least squares through the logarithms; empty: one size"},
};

}  // namespace

template <>
std::span<const Column<StartUpRow>> columns<StartUpRow>() {
  return kStartUpColumns;
}

ReportTable start_up_table() {
  return report_table<StartUpRow>("tables/start_up.csv", "one size of a group of cells: how long its launches take to start",
                                  [](const TableInputs& analysed, auto& table) {
                                    for (const auto& row : analysed.findings.start_up) table.add(row);
                                  });
}

}  // namespace ddpbench
