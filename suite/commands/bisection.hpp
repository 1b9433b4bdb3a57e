#pragma once
#include <ostream>

#include "suite/commands/compare_arguments.hpp"

namespace ddpbench {

// The commands of a bisection whose every step is this comparison, by costs and until they are settled. Base's program drives all of them. A step that
// stays open, or cannot be built or run, is skipped.
// Throws UsageError that says what is missing, or cannot be.
void print_bisection(const CompareArguments& arguments, std::ostream& out);

}  // namespace ddpbench
