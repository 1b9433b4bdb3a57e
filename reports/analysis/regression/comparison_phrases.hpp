#pragma once
#include <string>
#include <vector>

#include "reports/analysis/answer/analysis_result.hpp"
#include "reports/analysis/regression/build_comparison.hpp"

namespace ddpbench {

// Says what the two sides are called: a build folder, a setting, or a results folder.
struct SideNames {
  std::string base, fresh;
};

// Returns "trainer's cost", "raw's step".
std::string quantity_phrase(const ComparedRow& row);

// Returns the answer in sentences that a person could say aloud: what got worse first.
std::vector<std::string> comparison_sentences(const BuildComparison& comparison);

// Says what keeps a comparison without a regression from being a pass: figures that stay open, or nothing that was judged. "": it
// passes, or there is a regression.
std::string why_no_pass(const BuildComparison& comparison);

// Returns "Eight launches of each, in turn on one machine. …"; "" where nothing was compared.
std::string comparison_sureness(const BuildComparison& comparison);

// Writes a line for each row that counts, and for steps that are told only; "" without any.
std::string comparison_text(const BuildComparison& comparison);

// Writes the same for a comment of a pull request: the answer, the table, and folded what is judged on other clocks.
std::string comparison_markdown(const BuildComparison& comparison, const SideNames& names);

// Returns "change_us.null.trainer.cost.thread_cpu = 20.4 us [18.1, 22.7]".
std::vector<Fom> comparison_foms(const BuildComparison& comparison);

}  // namespace ddpbench
