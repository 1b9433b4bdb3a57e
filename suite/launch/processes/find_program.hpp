#pragma once
#include <string>

namespace ddpbench {

// Returns where a program of that name lies in $PATH, as a shell finds it; "" where none does. Passes over folders of $PATH that
// are not absolute: the working directory may hold anything.
std::string find_program(const std::string& name);

// Returns the same, or the bare name where it is not there: of a command that is only shown.
std::string program_to_show(const std::string& name);

}  // namespace ddpbench
