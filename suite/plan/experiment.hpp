#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/vocab/vocabulary.hpp"

namespace ddpbench {

// How a launch is measured ([protocol] in an experiment). Each field's name is its key.
struct Protocol {
  std::int64_t launches = 5;
  std::int64_t block_steps = 4;
  std::int64_t warmup_steps = 10;
  double margin_percent = 0.5;
  double margin_us = 2;
  double max_seconds_per_launch = 120;
  std::int64_t min_super_blocks = 6;
  std::int64_t max_super_blocks = 0;   // 0: no bound
  std::int64_t seed = 1;
  double injected_us = 100;
  double hang_timeout_seconds = 60;
  std::int64_t threads_per_rank = 1;
};

// One swept field: the values in the order given, as text ("2", "ddp").
struct Axis {
  std::string name;
  std::vector<std::string> values;
};

// An experiment as the user wrote it, with every default filled in. Plain data; valid by construction (read_experiment checks).
struct Experiment {
  std::string name;
  std::vector<std::string> arms;
  std::vector<Axis> axes;                  // the standard ones in the order of PlanRow, then options that were made an axis
  std::vector<std::string> constraints;
  Protocol protocol;
  std::map<std::string, std::string> workload_options;   // as given; defaults come from the vocabulary, per workload
  std::map<std::string, std::string> strategy_options;
};

// What --set and --constraint add to the file.
struct Overrides {
  std::vector<std::string> settings;      // "backend=gloo,nccl"; any key of an experiment: axes, arms, protocol, options
  std::vector<std::string> constraints;
};

// Reads and checks an experiment. Throws one UsageError that holds every mistake found, each naming `origin`, the line and the key,
// the value, and what is legal; a TOML syntax error quotes its line with its number.
Experiment parse_experiment(const std::string& toml_text, const std::string& origin, const Vocabulary& vocabulary,
                            const Overrides& overrides = {});

// The effective experiment as TOML, every default written out; parse_experiment reads it back to an equal one.
std::string to_toml(const Experiment& experiment);

}  // namespace ddpbench
