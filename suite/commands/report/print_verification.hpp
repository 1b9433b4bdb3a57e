#pragma once
#include <string>

namespace ddpbench {

// Verifies a results folder and says on standard output what it finds; returns whether it is whole. Notes are no faults.
bool print_verification(const std::string& folder);

}  // namespace ddpbench
