#pragma once
#include <string>
#include <vector>

#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Writes a script of bash's that does what a job of this site does before it measures: its setup, then the installation's own
// programs. It says "@setup COMMAND", "@program WORDS", "@worker WORDS" of what fails, "@data PATH" of what `data`, as the shell
// reads it, comes to, and "@end". `data` "": none is read.
std::string site_check_script(const Site& site, const Installation& installation, const std::string& data);

// Returns what a job would miss, a sentence each, as far as this machine tells: modules that do not load, a program whose
// libraries are not found behind them, data sets of the plan that are not where the job looks. Starts a login shell, as the job's
// is.
std::vector<std::string> missing_for_jobs(const Site& site, const Installation& installation, const Plan& plan,
                                          const std::string& data);

}  // namespace ddpbench
