#pragma once
#include <vector>

#include "reports/analysis/findings/audit.hpp"
#include "reports/analysis/findings/carry_over.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/findings/ladder.hpp"
#include "reports/analysis/findings/network/backend_shares.hpp"
#include "reports/analysis/findings/network/collective_findings.hpp"
#include "reports/analysis/findings/network/links.hpp"
#include "reports/analysis/findings/network/rank_skew.hpp"
#include "reports/analysis/findings/network/slow_nodes.hpp"
#include "reports/analysis/findings/settings/setting_comparison.hpp"
#include "reports/analysis/findings/sizes/batch_memory.hpp"
#include "reports/analysis/findings/sizes/efficiency.hpp"
#include "reports/analysis/findings/sizes/predictions.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/findings/start_up.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds what follows from the samples and the overhead table: estimated once, then written as tables and said in sentences.
struct Findings {
  std::vector<StepTimeLaw> laws;
  std::vector<LadderRow> ladder;
  std::vector<InstructionRow> instructions;
  std::vector<CarryOverRow> carry_over;
  std::vector<EfficiencyRow> efficiency;
  std::vector<ScalingRow> scaling;
  Disturbances disturbances;
  std::vector<AuditRow> audit;
  std::vector<NodeRow> nodes;
  std::vector<LinkRow> links;
  std::vector<SettingComparison> settings;
  std::vector<SkewRow> skew;
  std::vector<HeldOutRow> held_out;
  std::vector<BatchMemoryRow> batch_memory;
  std::vector<StartUpRow> start_up;
  std::vector<CollectiveRow> collectives;
  std::vector<CollectiveFitRow> collective_fits;
  std::vector<BackendShareRow> backend_shares;
};

// Makes all findings, on several threads. `rows`: the study's overhead table.
Findings findings_of(const Study& study, const std::vector<OverheadRow>& rows);

}  // namespace ddpbench
