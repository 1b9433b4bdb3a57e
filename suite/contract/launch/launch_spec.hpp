#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/options.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/contract/vocabulary/own_code.hpp"

namespace ddpbench {

// Holds everything one rank must know to run one launch, but for who it is (that is RankInfo, from the environment). It crosses
// from ddpbench to the worker as a command line, so that a person can run any launch by hand.
struct LaunchSpec : Axes {
  std::string launch_id;
  std::string cell_id;
  std::int64_t repetition = 0;
  std::vector<std::string> arms;
  std::string purpose = purpose::kTime;
  std::vector<std::string> cases{};  // of purpose `collectives`: "all_reduce:4096" (collectives.hpp)

  // Of purpose `profile` (profile.hpp).
  std::string profiler{};                    // "kineto"
  std::string profile_steps = "11..20";      // of each arm
  std::string profile_schedule{};            // in their place: "1/1/3/2" (parse_profile_schedule)
  std::vector<std::string> profile_ranks{};  // those that record; empty: all
  std::vector<std::string> profile_with{};   // what Kineto records beside operations: "shapes", "memory", "stacks"

  Protocol protocol;
  std::int64_t seed = 1;  // of this launch, drawn from the protocol's: weights, shuffling, order of arms

  OwnCode own_code{};  // of the user's, that arms take

  std::string data;                 // folder with the data set's binary files; empty where the workload needs none
  std::string part_dir;             // folder that takes this launch's part files; a rank makes it where it is not there
  PerOptionGroup<Options> options;  // all of them, defaults filled in
};

// Returns {"--launch-id", "L0001", …}: one token pair per field that differs from the default, options as name=value.
std::vector<std::string> to_tokens(const LaunchSpec& spec);

// Parses such tokens. Throws UsageError for an unknown flag, a flag without a value, or a value that is not of the field's type.
LaunchSpec launch_spec_from_tokens(const std::vector<std::string>& tokens);

// Describes the fields for a help text, a line each.
std::string launch_spec_help();

}  // namespace ddpbench
