#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// Describes a class of jobs that a site offers, with its limits for one job. 0: none is known.
struct QualityOfService {
  std::string name;
  std::int64_t hours = 0;
  std::int64_t gpus = 0;
  std::int64_t jobs = 0;  // of a user at a time
};

// Describes a cluster as its file does (slurm/sites/*.toml; slurm/README.md). Plain data; valid by construction (read_site
// checks).
struct Site {
  std::string name;    // of the file, without .toml
  std::string origin;  // the file
  std::string description;
  std::string batch_system;  // of batch_systems()
  std::string launcher;      // that starts the ranks in a job

  // Options of the batch system, as it reads them. May hold placeholders in braces: placeholders().
  std::vector<std::string> directives, resources;
  std::string account;             // the option that names who pays, with {account}; "": none is needed
  std::vector<std::string> setup;  // lines of shell before the run: modules, variables
  std::vector<std::string>
      collect;       // options of the job that makes the report when the others have ended; none: there is no such job
  std::string data;  // where data sets lie, as the shell reads it: "$DSDIR"; "": the usual places

  std::int64_t node_gpus = 0, node_cores = 0, node_memory_gib = 0;  // 0: not known, or no GPUs
  std::string gpu;                                                  // its name
  std::int64_t gpu_sm = 0;                                          // its compute capability, 70 is 7.0; 0: not known
  std::int64_t gpu_memory_gib = 0;

  std::int64_t most_nodes = 0, most_hours = 0;  // of a job; 0: no limit is known
  std::vector<QualityOfService> qualities;      // [[qos]], in the order in which they are to be tried

  double price_per_gpu_hour = 0;  // 0: not known
  std::string price_unit;         // "SU", "EUR"
};

// Names what may stand in braces in an option of a site, "{node_gpus}", with what it is replaced by.
struct Placeholder {
  const char* name;
  const char* help;
};

// Returns every placeholder.
const std::vector<Placeholder>& placeholders();

}  // namespace ddpbench
