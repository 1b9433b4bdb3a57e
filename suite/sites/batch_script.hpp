#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/sites/batch_systems.hpp"
#include "suite/sites/jobs.hpp"
#include "suite/sites/site.hpp"

namespace ddpbench {

// Holds what a script says beside its job and its site. Commands and paths are written for a shell already.
struct ScriptFacts {
  std::string account;               // without the site's form around it
  std::string job_name;              // as the queue shows it
  std::string log;                   // file of what the job says
  std::vector<std::string> options;  // further ones of the batch system, by the user
  std::string run;                   // the command that measures; continues what it finds
  std::string results{};             // the folder that it writes to
  std::string program{};             // ddpbench itself
  std::string page{};                // its command that makes the page of `results`
};

// Writes the script of the job that makes the report of the others: what it runs and where it says so are in `facts`.
std::string collecting_script(const std::string& script_template, const Site& site, const ScriptFacts& facts);

// Writes the script of one job. Throws UsageError where the site asks for an account and none is given, or a placeholder has no
// value on this site.
std::string batch_script(const std::string& script_template, const Site& site, const Job& job, const ScriptFacts& facts);

}  // namespace ddpbench
