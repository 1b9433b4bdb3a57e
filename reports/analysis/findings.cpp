#include "reports/analysis/findings.hpp"

namespace ddpbench {

Findings findings_of(const Study& study, const std::vector<OverheadRow>& rows) {
  Findings findings;
  findings.laws = step_time_laws(study, rows);
  findings.ladder = ladder_rows(study);
  return findings;
}

}  // namespace ddpbench
