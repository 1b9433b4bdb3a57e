#pragma once
#include <map>
#include <string>
#include <vector>

#include "reports/estimates/estimate.hpp"
#include "suite/contract/protocol.hpp"

namespace ddpbench {

// What the analysis needs of an experiment.
struct Settings {
  std::string experiment;
  Protocol protocol;
  double confidence = kDefaultConfidence;
  // Values as the experiment lists them: the first is what others are compared with.
  std::map<std::string, std::vector<std::string>> axes;
};

// Of an effective experiment.toml. A key that is missing keeps its default. Throws UsageError naming `origin` and line where the
// text is not TOML.
Settings read_settings(const std::string& experiment_toml, const std::string& origin);

// The same for one cell: an option of the protocol may be an axis, and then stands in the cell's options
// ("margin_us=5;stem=cifar").
Settings settings_of_cell(Settings settings, const std::string& options);

}  // namespace ddpbench
