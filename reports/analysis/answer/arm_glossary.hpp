#pragma once
#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What the names of this study's arms are made of, and what each part means, as its folder recorded it: {"py_lightning", "Lightning's Trainer"},
// {"typical", "as users run it: log, bar, csv=50"}. Arms first, then features that a name adds or leaves out; a part that the folder says nothing of is not
// among them.
std::vector<std::pair<std::string, std::string>> arm_glossary(const Study& study);

// Of the arms that are asked about, and of the features in their names, in one line: "trainer: the Lightning-like trainer in C++; …". "" where those are many.
std::string subject_phrase(const Study& study);

}  // namespace ddpbench
