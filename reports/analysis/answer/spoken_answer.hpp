#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/findings.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// The answer as an engineer would say it aloud.
struct SpokenAnswer {
  // For each family of arms at most three: what the arm costs, what share of the longest step that is (docs/measurement.md, "Long steps"), and how
  // sure that is and what would make it surer. Then what failed. Two digits, and no word that needs the method page.
  std::vector<std::string> sentences;
  // What it rests on, one phrase each: launches and pairs, the smallest difference that shows, the controls, how much others disturbed, where the
  // data came from. Empty where no arm was compared.
  std::vector<std::string> how_sure;
  // "null: the same code twice agrees within ±6 us; 100 us injected, found as 108 us", of the cell that the answer rests on, for each family; "" without
  // controls.
  std::string controls;
};
SpokenAnswer spoken_answer(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings);

}  // namespace ddpbench
