#pragma once
#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Returns the parts of the names of this study's arms and what each means, as its folder recorded it: {"py_lightning",
// "Lightning's Trainer"}, {"typical", "as users run it: log, bar, csv=50"}. Arms come first, then features that a name adds or
// leaves out; a part that the folder says nothing of is left out.
std::vector<std::pair<std::string, std::string>> arm_glossary(const Study& study);

// Explains the arms that are asked about, and the features in their names, in one line: "trainer: the Lightning-like trainer in
// C++; …". "" where those are many.
std::string subject_phrase(const Study& study);

}  // namespace ddpbench
