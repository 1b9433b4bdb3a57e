#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/contract/launch/protocol.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Bounds the error of all planned looks together.
inline constexpr double kErrorRate = 0.05;

// Holds what every cell has of its own: an option of the protocol may be an axis.
struct CellSettings {
  Protocol protocol;
  double confidence = kDefaultConfidence;

  // A difference is believed when its two-sided p, adjusted by Holm for all comparisons on the clock, is below this; that it is
  // none, or on one side of a budget, when the one-sided p is below half of it.
  double significance() const { return kErrorRate / static_cast<double>(protocol.looks); }
};

// Returns the confidence of each of so many planned looks: they share the 5 %, evenly (Bonferroni), so that all of them together
// err as rarely as one look would.
double confidence_of_a_look(std::int64_t looks);

// Holds what the analysis needs of an experiment.
struct Settings : CellSettings {
  std::string experiment;
  // Values as the experiment lists them: the first is what others are compared with.
  std::map<std::string, std::vector<std::string>> axes;
};

// Reads an effective experiment.toml. A key that is missing keeps its default. Throws UsageError naming `origin` and line where
// the text is not TOML.
Settings read_settings(const std::string& experiment_toml, const std::string& origin);

// Applies what the cell's options ("margin_us=5;stem=cifar") say of the protocol.
CellSettings settings_of_cell(const CellSettings& of_experiment, const std::string& options);

}  // namespace ddpbench
