#pragma once
#include <map>
#include <string>
#include <vector>

#include "reports/estimates/estimate.hpp"
#include "suite/contract/protocol.hpp"

namespace ddpbench {

// What every cell has of its own: an option of the protocol may be an axis.
struct CellSettings {
  Protocol protocol;
  double confidence = kDefaultConfidence;
};

// What the analysis needs of an experiment.
struct Settings : CellSettings {
  std::string experiment;
  // Values as the experiment lists them: the first is what others are compared with.
  std::map<std::string, std::vector<std::string>> axes;
};

// Of an effective experiment.toml. A key that is missing keeps its default. Throws UsageError naming `origin` and line where the
// text is not TOML.
Settings read_settings(const std::string& experiment_toml, const std::string& origin);

// With what the cell's options ("margin_us=5;stem=cifar") say of the protocol.
CellSettings settings_of_cell(const CellSettings& of_experiment, const std::string& options);

}  // namespace ddpbench
