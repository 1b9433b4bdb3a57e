#pragma once
#include <array>

#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

// Each makes one table of the report: its file, in OUT/tables but for overhead.csv, scaling.csv and collectives.csv, and what a
// row is.
ReportTable overhead_table();         // overhead.csv: one arm of one cell on one clock
ReportTable cells_table();            // cells.csv: one cell
ReportTable breakdown_table();        // breakdown.csv: one phase of one arm of one cell
ReportTable distribution_table();     // distribution.csv: one quantile of one arm of one cell
ReportTable drift_table();            // drift.csv: one super-block, or a bin of them, of one arm of one launch
ReportTable loss_table();             // loss.csv: one step whose loss was read, or a bin of neighbours
ReportTable step_time_law_table();    // step_time_law.csv: one arm of one group of cells on one clock
ReportTable step_time_curve_table();  // step_time_curve.csv: one cell that a law goes through, or one place on its line
ReportTable cost_at_step_table();     // cost_at_step.csv: one law at one length of the step
ReportTable ladder_table();           // ladder.csv: one rung of one arm's ladder in one cell on one clock
ReportTable instructions_table();     // instructions.csv: one arm or rung less its reference in one cell
ReportTable carry_over_table();       // carry_over.csv: one arm after one other in one cell on one clock
ReportTable efficiency_table();       // efficiency.csv: one arm of one cell in one mode
ReportTable scaling_table();          // scaling.csv: one arm of one cell in one mode
ReportTable training_table();         // training.csv: one size at which one arm could train, in one mode
ReportTable settings_table();         // settings.csv: one value of one setting against the first, on one clock
ReportTable audit_table();            // audit.csv: one fact that is not the same in all launches
ReportTable points_table();           // points.csv: one arm of one launch that is not ok
ReportTable metrics_table();          // metrics.csv: one metric of one arm of one cell
ReportTable counts_table();           // counts.csv: what one arm's step does in one cell, counted
ReportTable nodes_table();            // nodes.csv: one node in one respect, against the others
ReportTable links_table();            // links.csv: the link of two nodes, as one of them found it
ReportTable skew_table();             // skew.csv: one rank of one cell
ReportTable held_out_table();         // held_out.csv: one size that was held out, and predicted
ReportTable batch_memory_table();     // batch_memory.csv: a group of cells that differ in the batch size per rank alone
ReportTable start_up_table();         // start_up.csv: how long launches of one size take to start
ReportTable collectives_table();      // collectives.csv: one collective of one size by one arm
ReportTable collective_fits_table();  // collective_fits.csv: the line through the sizes of one collective by one arm
ReportTable backend_shares_table();   // backend_shares.csv: what a backend costs a step with one bucket sequence

// Lists every table that the report writes, in the order in which `ddpbench list tables` shows them.
inline constexpr std::array kReportTables{
    overhead_table,   cells_table,         breakdown_table,       distribution_table,    drift_table,
    loss_table,       step_time_law_table, step_time_curve_table, ladder_table,          carry_over_table,
    efficiency_table, scaling_table,       training_table,        settings_table,        audit_table,
    points_table,     metrics_table,       counts_table,          nodes_table,           skew_table,
    held_out_table,   batch_memory_table,  collectives_table,     collective_fits_table, start_up_table,
    links_table,      instructions_table,  backend_shares_table,  cost_at_step_table,
};

}  // namespace ddpbench
