#include <array>

#include "reports/analysis/tables/tables.hpp"

namespace ddpbench {
namespace {

const std::array kLinkColumns{
    Column<LinkRow>{"started_utc", &LinkRow::started_utc, "of the check of the nodes, ISO 8601"},
    Column<LinkRow>{"node", &LinkRow::node, "whose first rank measured"},
    Column<LinkRow>{"peer", &LinkRow::peer, "the node at the other end"},
    Column<LinkRow>{"latency_us", &LinkRow::latency_us, "8 bytes there and back, median over visits", "us"},
    Column<LinkRow>{"transfer_us", &LinkRow::transfer_us, "4 MiB there and back, median over visits", "us"},
    Column<LinkRow>{"rate_gb_s", &LinkRow::rate_gb_s, "those 8 MiB over that time", "GB/s"},
    Column<LinkRow>{"visits", &LinkRow::visits, "meetings of the two nodes"},
};

}  // namespace

template <>
std::span<const Column<LinkRow>> columns<LinkRow>() {
  return kLinkColumns;
}

ReportTable links_table() {
  return report_table<LinkRow>("tables/links.csv", "the link of two nodes, as the one of them found it",
                               [](const TableInputs& analysed, auto& table) {
                                 for (const auto& row : analysed.findings.links) table.add(row);
                               });
}

}  // namespace ddpbench
