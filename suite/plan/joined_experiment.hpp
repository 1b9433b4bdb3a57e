#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Holds the effective experiment of a results folder.
struct ExperimentText {
  std::string folder;
  std::string toml;
};

// Returns its name; "" where it has none. Throws UsageError where it is not TOML, as all of these do.
std::string experiment_name(const ExperimentText& text);

// Says in what two of them are not one experiment, as "block_steps of [protocol] is 10 in A and 20 in B"; "" where they are. One
// experiment's jobs may differ in the values on its axes, in what they drop by constraints and in how many launches they have, in
// nothing else.
std::string why_not_one_experiment(const ExperimentText& one, const ExperimentText& other);

// Writes the experiment of all of them together: the values of every axis, the constraints that all have, the launches of the
// first.
std::string joined_experiment(const std::vector<ExperimentText>& texts);

}  // namespace ddpbench
