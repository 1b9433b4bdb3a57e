#pragma once
#include <string>

namespace ddpbench {

// Where a program of that name lies in $PATH, as a shell finds it; "" where none does. Folders of $PATH that are not absolute are passed
// over: the working directory may hold anything.
std::string find_program(const std::string& name);

// The same, or the bare name where it is not there: of a command that is only shown.
std::string program_to_show(const std::string& name);

}  // namespace ddpbench
