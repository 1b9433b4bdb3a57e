#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// What the analysis needs of an experiment; the defaults are the experiment's own.
struct Settings {
  std::string experiment;
  double margin_percent = 0.5;
  double margin_us = 2;
  std::int64_t block_steps = 4;
  double max_seconds_per_launch = 120;
  std::int64_t max_super_blocks = 0;  // 0: no bound
  double budget_percent = 0;          // 0: none
  double confidence = kDefaultConfidence;
  std::map<std::string, std::vector<std::string>>
      axes;  // values as the experiment lists them: the first is what others are compared with
};

// Of an effective experiment.toml. A key that is missing keeps its default. Throws UsageError naming `origin` and line where the
// text is not TOML.
Settings read_settings(const std::string& experiment_toml, const std::string& origin);

// The same for one cell: an option of the protocol may be an axis, and then stands in the cell's options
// ("margin_us=5;stem=cifar").
Settings settings_of_cell(Settings settings, const std::string& options);

// "stem=imagenet;data=cifar" -> the value of `name`, or "".
std::string option_value(const std::string& options, const std::string& name);

}  // namespace ddpbench
