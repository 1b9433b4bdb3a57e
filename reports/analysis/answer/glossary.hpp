#pragma once
#include <string>
#include <utility>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Returns the names in this study and what each means, as its folder recorded it: {"py_lightning", "Lightning's Trainer"},
// {"typical", "as users run it: log, bar, csv=50"}, {"gloo", "TCP between CPUs"}. The parts of arms' names come first, then the
// workloads, strategies, backends and precisions of its cells; a name that the folder says nothing of is left out.
std::vector<std::pair<std::string, std::string>> glossary(const Study& study);

// Explains the arms that are asked about, and the features in their names, in one line: "trainer: the Lightning-like trainer in
// C++; …". "" where those are many.
std::string subject_phrase(const Study& study);

}  // namespace ddpbench
