#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

struct Availability;

// Holds one combination of every axis except arm.
struct PlannedCell {
  LaunchSpec
      spec;  // complete but for launch, arms and seed; its protocol is the experiment's, with this cell's values of swept keys
  std::string options;                   // for the `options` column
  std::vector<std::string> unwanted{};   // arms that their `arms_where` keeps out of it
  std::vector<std::string> extra_for{};  // purposes of launches behind the timed ones (PurposeEntry::extra_for)
};

// Holds the cells that are left, and counts those that constraints dropped and those that were merged with an equal one.
struct Cells {
  std::vector<PlannedCell> kept;  // in the order of the axes, the last one fastest
  std::size_t dropped = 0;
  std::size_t merged = 0;
};

// Multiplies the axes and drops cells by the constraints; the availability's launcher starts them, and its options are theirs.
// Throws UsageError where that leaves nothing, divides by zero, contradicts itself, or has more launches than kMaxLaunches, or
// more arms of them than kMaxPlannedArms.
Cells make_cells(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability);

// Returns "resnet50_cifar10-ddp-gloo-n1r2-fp32-b16" and "-name=value" for every option that is an axis: can be read, sorted, and
// be a file's name.
std::string cell_id(const Axes& axes, const std::vector<std::pair<std::string, std::string>>& swept_options);

// Makes a text fit as part of a file's name: other characters than letters, digits and _+-=. become ~ and two hexadecimal digits,
// so that different texts stay different; cuts what is too long for a file's name and adds a fingerprint of the whole.
std::string file_safe(const std::string& text);

}  // namespace ddpbench
