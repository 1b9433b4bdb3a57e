#pragma once
#include <array>
#include <string>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// The tables of reports/README.md as CSV text.
std::string cells_table(const Study& study);
std::string breakdown_table(const Study& study);
std::string distribution_table(const Study& study);
std::string drift_table(const Study& study);
std::string loss_table(const Study& study);
std::string points_table(const Study& study);
std::string designs_table(const Study& study);
std::string settings_table(const Study& study);

struct TableEntry {
  const char* file;
  std::string (*make)(const Study& study);
};
inline constexpr std::array<TableEntry, 8> kTables{{
    {"cells.csv", cells_table},
    {"breakdown.csv", breakdown_table},
    {"distribution.csv", distribution_table},
    {"drift.csv", drift_table},
    {"loss.csv", loss_table},
    {"points.csv", points_table},
    {"designs.csv", designs_table},
    {"settings.csv", settings_table},
}};

}  // namespace ddpbench
