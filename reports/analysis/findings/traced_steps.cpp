#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

// As the profile's launches stored them.
ReportTable traced_steps_table() {
  return report_table<TracePartRow>("tables/trace_steps.csv", "one part of an arm's step on one rank, by its trace",
                                    [](const Findings& findings, auto& table) {
                                      for (const auto& row : findings.study.trace_parts) table.add(row);
                                    });
}

}  // namespace ddpbench
