#pragma once
#include <array>

#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

ReportTable overhead_table();
ReportTable cells_table();
ReportTable breakdown_table();
ReportTable distribution_table();
ReportTable drift_table();
ReportTable loss_table();
ReportTable step_time_law_table();
ReportTable step_time_curve_table();
ReportTable cost_at_step_table();
ReportTable ladder_table();
ReportTable instructions_table();
ReportTable carry_over_table();
ReportTable efficiency_table();
ReportTable scaling_table();
ReportTable training_table();
ReportTable settings_table();
ReportTable audit_table();
ReportTable points_table();
ReportTable metrics_table();
ReportTable counts_table();
ReportTable nodes_table();
ReportTable links_table();
ReportTable skew_table();
ReportTable held_out_table();
ReportTable batch_memory_table();
ReportTable start_up_table();
ReportTable collectives_table();
ReportTable collective_fits_table();
ReportTable backend_shares_table();

// Every table that the report writes, in the order in which `ddpbench list tables` shows them.
inline constexpr std::array kReportTables{
    overhead_table,   cells_table,         breakdown_table,       distribution_table,    drift_table,
    loss_table,       step_time_law_table, step_time_curve_table, ladder_table,          carry_over_table,
    efficiency_table, scaling_table,       training_table,        settings_table,        audit_table,
    points_table,     metrics_table,       counts_table,          nodes_table,           skew_table,
    held_out_table,   batch_memory_table,  collectives_table,     collective_fits_table, start_up_table,
    links_table,      instructions_table,  backend_shares_table,  cost_at_step_table,
};

}  // namespace ddpbench
