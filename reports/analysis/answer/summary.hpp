#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Makes a label one word of a figure's name, without "=": "null, batch 16, matmuls=8" -> "null.batch_16.matmuls_8".
std::string fom_word(const std::string& label);

// Returns the figures of merit: overhead on the clocks, and the reference's step, cell by cell; none of the wall clock where a
// quota held the ranks back.
std::vector<Fom> foms(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& disturbances);

// Returns the same of instructions: "extra_instructions.null.trainer".
std::vector<Fom> instruction_foms(const Study& study, const std::vector<InstructionRow>& rows);

// Returns those of the longest steps: "measured_share.resnet50_cifar10.trainer", or "estimated_share…" where it was not measured.
// Leaves out what has bounds alone.
std::vector<Fom> share_foms(const Study& study, const std::vector<SpokenShare>& shares);

// Returns at which step an arm is 5 %, where that has two bounds: "step_ms_at_5_percent.GROUP.trainer".
std::vector<Fom> law_foms(const Study& study, const std::vector<StepTimeLaw>& laws);

// Returns "FOM overhead_us.null.trainer.thread_cpu = 1.6 us [1.2, 2]\n" …, a line each, with four digits.
std::string fom_lines(const std::vector<Fom>& foms);

// Makes tables/summary.json.
nlohmann::ordered_json summary_json(const Study& study, const AnalysisResult& result);

}  // namespace ddpbench
