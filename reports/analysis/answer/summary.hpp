#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// A label as one word of a figure's name, without "=": "null, batch 16, matmuls=8" -> "null.batch_16.matmuls_8".
std::string fom_word(const std::string& label);

// The figures of merit: overhead on the clocks, and the reference's step, cell by cell; none of the wall clock where a quota held the ranks back.
std::vector<Fom> foms(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& disturbances);

// The same of instructions: "extra_instructions.null.trainer".
std::vector<Fom> instruction_foms(const Study& study, const std::vector<InstructionRow>& rows);

// Of the longest steps: "measured_share.resnet50_cifar10.trainer", or "estimated_share…" where it was not measured. What has bounds alone is none.
std::vector<Fom> share_foms(const Study& study, const std::vector<SpokenShare>& shares);

// At which step an arm is 5 %, where that has two bounds: "step_ms_at_5_percent.GROUP.trainer".
std::vector<Fom> law_foms(const Study& study, const std::vector<StepTimeLaw>& laws);

// "FOM overhead_us.null.trainer.thread_cpu = 1.6 us [1.2, 2]\n" …, a line each, with four digits.
std::string fom_lines(const std::vector<Fom>& foms);

// tables/summary.json
nlohmann::ordered_json summary_json(const Study& study, const AnalysisResult& result);

}  // namespace ddpbench
