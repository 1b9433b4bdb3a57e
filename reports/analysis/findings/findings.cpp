#include "reports/analysis/findings/findings.hpp"

#include "reports/analysis/findings/scaling.hpp"

namespace ddpbench {

Findings findings_of(const Study& study, const std::vector<OverheadRow>& rows) {
  Findings findings;
  findings.laws = step_time_laws(study, rows);
  findings.ladder = ladder_rows(study);
  findings.carry_over = carry_over_rows(study);
  findings.efficiency = efficiency_rows(study);
  findings.scaling = scaling_rows(study);
  findings.audit = audit_rows(study);
  return findings;
}

}  // namespace ddpbench
