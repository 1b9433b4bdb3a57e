#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Holds the link of two nodes as one of them found it in a check before the sweep: tables/links.csv. Medians over the visits of
// that check.
struct LinkRow {
  std::string started_utc, node, peer;
  double latency_us = kNotMeasured;   // 8 bytes there and back
  double transfer_us = kNotMeasured;  // 4 MiB there and back
  double rate_gb_s = kNotMeasured;    // those 8 MiB over that time
  std::int64_t visits = 0;
};

// Makes the rows check by check, nodes in the order of their ranks. None where no node has met another.
std::vector<LinkRow> link_rows(std::span<const NodeCheckRow> checks);

}  // namespace ddpbench
