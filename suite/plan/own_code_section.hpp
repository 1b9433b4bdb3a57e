#pragma once
#include <string>

namespace ddpbench {

// [modules] of an experiment: mine = "FILE.py:Class".

// Says what a name must be where no arm can be named so; "" where one can.
std::string why_no_module_name(const std::string& name);

// Returns "/absolute/FILE.py:Class". FILE is relative to the folder of the experiment's file, `origin`. Throws UsageError that
// says what is legal where the text is not of this form or the file cannot be read.
std::string located_module(const std::string& text, const std::string& origin);

}  // namespace ddpbench
