#pragma once
#include <string>
#include <vector>

#include "reports/analysis/answer/share.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Holds the figure of a sentence about an arm's longest step.
struct SpokenShare {
  std::string cell_id, arm;
  double step_ms;
  ReportedShare share;
};

// Says at which step an arm is 5 % and 1 %, by its law.
struct SpokenLaw {
  std::string group, arm, sentence;
};

// Holds the answer as an engineer would say it aloud.
struct SpokenAnswer {
  // For each family of arms: what the arm costs, what share of the longest step that is (docs/measurement.md, "Long steps"), at
  // which step it is 5 % where a law says it, how sure that is and what would make it surer; the same in a line for each other
  // setting. Then what failed. Two digits, and no word that needs the method page.
  std::vector<std::string> sentences;
  // What it rests on, sentences: of each family the launches and pairs, the smallest difference that shows, the controls, how
  // much others disturbed; then where the data came from. Empty where no arm was compared.
  std::vector<std::string> how_sure;
  // "null: the same code twice agrees within ±6 us; 100 us injected, found as 108 us", of the cell that the answer rests on, for
  // each family; "" without controls.
  std::string controls;
  std::vector<SpokenShare> shares;
  std::vector<SpokenLaw> laws;  // of all subjects on the primary clock
};
// Makes the answer; where no launch finished, one sentence that says so.
SpokenAnswer spoken_answer(const Findings& findings);

}  // namespace ddpbench
