#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// A label as one word of a figure's name: "resnet50_cifar10, batch 16" -> "resnet50_cifar10.batch_16".
std::string fom_word(const std::string& label);

// The figures of merit: overhead on the primary clock and wall, and the reference's step, cell by cell.
std::vector<Fom> foms(const Study& study, const std::vector<OverheadRow>& rows);

// The same of instructions: "extra_instructions.null.trainer".
std::vector<Fom> instruction_foms(const Study& study, const std::vector<InstructionRow>& rows);

// "FOM overhead_us.null.trainer.thread_cpu = 1.6 us [1.2, 2]\n" …, a line each.
std::string fom_lines(const std::vector<Fom>& foms);

// tables/summary.json
nlohmann::ordered_json summary_json(const Study& study, const AnalysisResult& result);

}  // namespace ddpbench
