// Tables of what is one row per finding.
#include "reports/analysis/findings/findings.hpp"
#include "reports/analysis/tables/csv_table.hpp"

namespace ddpbench {

std::string ladder_table(const Findings& findings) {
  CsvTable table("cell_id,clock,base,kind,feature,arm,reference,cost_us,cost_us_lo,cost_us_hi,pairs,launches,remainder_us");
  for (const auto& row : findings.ladder) {
    table << row.cell_id << row.clock << row.base << row.kind << row.feature << row.arm << row.reference << row.cost.us
          << row.cost.lo << row.cost.hi << row.cost.pairs << row.cost.launches << row.remainder_us;
    table.end_row();
  }
  return table.text();
}

std::string carry_over_table(const Findings& findings) {
  CsvTable table("cell_id,clock,arm,previous,effect_us,effect_us_lo,effect_us_hi,super_blocks,others,p,p_holm,stands_out");
  for (const auto& row : findings.carry_over) {
    const auto& effect = row.effect.difference;
    table << row.cell_id << row.clock << row.arm << row.previous << effect.value << effect.lo << effect.hi << effect.n
          << row.others << row.effect.p << row.p_holm << (row.stands_out ? 1 : 0);
    table.end_row();
  }
  return table.text();
}

std::string efficiency_table(const Findings& findings) {
  CsvTable table(
      "cell_id,arm,ranks,launches,mean_useful_s,max_useful_s,step_s,load_balance,communication_efficiency,parallel_efficiency,"
      "parallel_efficiency_lo,parallel_efficiency_hi,serialisation_efficiency,transfer_efficiency,contention,exposed_us,exposed_"
      "us_lo,"
      "exposed_us_hi,mode,reference_cell,computation_scaling,global_efficiency,identity_error_percent");
  for (const auto& row : findings.efficiency) {
    table << row.cell_id << row.arm << row.ranks << row.launches << row.mean_useful_s << row.max_useful_s << row.step_s
          << row.load_balance << row.communication << row.parallel << row.parallel_lo << row.parallel_hi << row.serialisation
          << row.transfer << row.contention << row.exposed_us << row.exposed_us_lo << row.exposed_us_hi << row.mode
          << row.reference_cell << row.computation_scaling << row.global << row.identity_error_percent;
    table.end_row();
  }
  return table.text();
}

std::string scaling_table(const Findings& findings) {
  auto text = csv_header<ScalingRow>();
  for (const auto& row : findings.scaling) append_csv_row(text, row);
  return text;
}

std::string audit_table(const Findings& findings) {
  CsvTable table("what,severity,values,launches,cells,within_a_cell,asked_for");
  for (const auto& row : findings.audit) {
    table << row.what << row.severity << row.values << row.launches << row.cells << (row.within_a_cell ? 1 : 0) << row.asked_for;
    table.end_row();
  }
  return table.text();
}

}  // namespace ddpbench
