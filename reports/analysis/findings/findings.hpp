#pragma once
#include <array>
#include <string>
#include <vector>

#include "reports/analysis/findings/audit.hpp"
#include "reports/analysis/findings/carry_over.hpp"
#include "reports/analysis/findings/efficiency.hpp"
#include "reports/analysis/findings/ladder.hpp"
#include "reports/analysis/findings/step_time_law.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What follows from the samples and the overhead table: estimated once, then written as tables and said in sentences.
struct Findings {
  std::vector<StepTimeLaw> laws;
  std::vector<LadderRow> ladder;
  std::vector<CarryOverRow> carry_over;
  std::vector<EfficiencyRow> efficiency;
  std::vector<ScalingRow> scaling;
  std::vector<AuditRow> audit;
};
Findings findings_of(const Study& study, const std::vector<OverheadRow>& rows);

// Their tables of reports/README.md as CSV text.
std::string step_time_law_table(const Findings& findings);
std::string step_time_curve_table(const Findings& findings);
std::string ladder_table(const Findings& findings);
std::string carry_over_table(const Findings& findings);
std::string efficiency_table(const Findings& findings);
std::string scaling_table(const Findings& findings);
std::string audit_table(const Findings& findings);

struct FindingTableEntry {
  const char* file;
  std::string (*make)(const Findings& findings);
};
inline constexpr std::array kFindingTables{
    FindingTableEntry{"tables/step_time_law.csv", step_time_law_table},
    FindingTableEntry{"tables/step_time_curve.csv", step_time_curve_table},
    FindingTableEntry{"tables/ladder.csv", ladder_table},
    FindingTableEntry{"tables/carry_over.csv", carry_over_table},
    FindingTableEntry{"tables/efficiency.csv", efficiency_table},
    FindingTableEntry{"scaling.csv", scaling_table},
    FindingTableEntry{"tables/audit.csv", audit_table},
};

}  // namespace ddpbench
