#pragma once
#include <array>

#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

#define DDPBENCH_REPORT_TABLE(name) ReportTable name();
#include "reports/analysis/report_tables.inc"
#undef DDPBENCH_REPORT_TABLE

// Lists every table that the report writes.
inline constexpr std::array kReportTables{
#define DDPBENCH_REPORT_TABLE(name) name,
#include "reports/analysis/report_tables.inc"
#undef DDPBENCH_REPORT_TABLE
};

}  // namespace ddpbench
