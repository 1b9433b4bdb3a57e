#pragma once
#include <string>

#include "suite/contract/tables/schema.hpp"

namespace ddpbench {

// Says what no measurement can have written, or "": a number that is infinite, a count, a rank or a quantity with a unit that is
// negative. For the rows that a run writes (PlanRow, RunRow, StepRow, BlockRow), whose units are all of time, memory or speed; of
// a MetricRow only that its value is finite.
template <class Row>
std::string value_problem(const Row& row);

}  // namespace ddpbench
