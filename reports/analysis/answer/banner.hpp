#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/disturbances.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Says which launches ran under a profiler from outside, a sentence for each profiler: "Profiled: 1 of 3 launches (L0002) ran under
// nsys: its times include what it records."
std::vector<std::string> profiled_sentences(const Study& study);

// Says what must be known before any figure is read, a line each: it ran under a profiler, this machine was held back, or busy, or a known delay was not
// found as it is. Empty where nothing is wrong.
std::vector<std::string> banner(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& found);

}  // namespace ddpbench
