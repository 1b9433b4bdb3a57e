#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {

// As the profile's launches stored them.
ReportTable traced_memory_table() {
  return report_table<TraceMemoryRow>("tables/trace_memory.csv", "one point of the memory in an arm's typical step, by its trace",
                                      [](const Findings& findings, auto& table) {
                                        for (const auto& row : findings.study.trace_memory) table.add(row);
                                      });
}

}  // namespace ddpbench
