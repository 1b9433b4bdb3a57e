#include "reports/analysis/findings/network/links.hpp"

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/vocabulary/node_checks.hpp"

namespace ddpbench {
namespace {

constexpr double kUsOfSecond = 1e6;
constexpr double kBytesBothWays = 2.0 * (4 << 20);

struct Visits {
  std::vector<double> latency_s, transfer_s;
};

LinkRow link_of(const std::tuple<std::string, std::string, std::string>& link, const Visits& visits) {
  LinkRow row;
  std::tie(row.started_utc, row.node, row.peer) = link;
  const double transfer_s = median(visits.transfer_s);
  row.latency_us = median(visits.latency_s) * kUsOfSecond;
  row.transfer_us = transfer_s * kUsOfSecond;
  row.rate_gb_s = kBytesBothWays / transfer_s / 1e9;
  row.visits = static_cast<std::int64_t>(visits.transfer_s.size());
  return row;
}

}  // namespace

std::vector<LinkRow> link_rows(std::span<const NodeCheckRow> checks) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::vector<Key> order;
  std::map<Key, Visits> links;
  for (const auto& check : checks) {
    const bool is_latency = check.check == node_check::kLinkLatency.name;
    if (!is_latency && check.check != node_check::kLinkTransfer.name) continue;
    const auto [found, fresh] = links.try_emplace({check.started_utc, check.node, check.peer});
    if (fresh) order.push_back(found->first);
    (is_latency ? found->second.latency_s : found->second.transfer_s).push_back(check.value);
  }
  std::vector<LinkRow> rows;
  for (const auto& key : order) rows.push_back(link_of(key, links.at(key)));
  return rows;
}

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
                               [](const Findings& findings, auto& table) {
                                 for (const auto& row : link_rows(findings.study.node_checks)) table.add(row);
                               });
}

}  // namespace ddpbench
