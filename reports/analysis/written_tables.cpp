#include "reports/analysis/written_tables.hpp"

#include "reports/analysis/report_tables.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

std::vector<TableSchema> written_tables() {
  std::vector<TableSchema> tables{
      table_schema<PlanRow>(folder_file::kPlan, "one launch that was planned, or a skip"),
      table_schema<RunRow>(folder_file::kRuns, "one arm of one launch that was started, or skipped"),
      table_schema<StepRow>(folder_file::kSteps, "one step of one rank"),
      table_schema<BlockRow>(folder_file::kBlocks, "one block of one rank"),
      table_schema<MetricRow>(folder_file::kMetrics, "one metric of one rank"),
      table_schema<NodeCheckRow>(folder_file::kNodeChecks, "one measurement of a node before the sweep"),
      table_schema<CollectiveSampleRow>(folder_file::kCollectiveSamples, "one block of one arm: a collective by itself"),
      table_schema<ManifestRow>(folder_file::kManifest, "one file, or one gzip member of one"),
  };
  for (const auto& table : kReportTables) tables.push_back(table().schema);
  return tables;
}

}  // namespace ddpbench
