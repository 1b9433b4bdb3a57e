#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/disturbances.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Says what must be known before any figure is read, a line each: this machine was held back, or busy, or a known delay was not
// found as it is. Empty where nothing is wrong.
std::vector<std::string> banner(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& found);

}  // namespace ddpbench
