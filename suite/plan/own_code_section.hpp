#pragma once
#include <string>

#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/own_code.hpp"
#include "suite/plan/setting_checker.hpp"
#include "suite/plan/setting_list.hpp"

namespace ddpbench {

// Returns whether an experiment's section is one of own code: "modules", "loops".
bool is_own_code_section(std::string_view section);

// Takes the sections of own code out of an experiment's settings. `origin`: the experiment's file. A name whose value is a mistake
// is kept all the same: arms may name it.
OwnCode read_own_code(SettingList& settings, SettingChecker& checker, const std::string& origin);

// Says that the experiment lacks what an arm takes, and what it has; "" where it lacks nothing.
std::string why_no_own_code(const OwnCode& own_code, const ArmFacts& arm);

// Returns "/absolute/FILE.py:Class". FILE is relative to the folder of the experiment's file, `origin`. Throws UsageError that
// says what is legal where the text is not of the kind's form or the file cannot be read.
std::string located_code(const OwnCodeKind& kind, const std::string& text, const std::string& origin);

}  // namespace ddpbench
