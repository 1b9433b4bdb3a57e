#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace ddpbench {

struct ExperimentFile {
  std::string path;  // stands in error messages
  std::string text;
};

// A file, or else the shipped experiment of that name in `share_dir`/experiments. Throws UsageError that lists the shipped ones
// where it is neither, and one that says why where a file cannot be read or is too large to be an experiment.
ExperimentFile find_experiment(const std::string& name_or_path, const std::string& share_dir);

// What an experiment asks, of the comment that its text begins with: the first sentence; "" without one.
std::string experiment_question(const std::string& text);

// Those in a folder without their ending, sorted; empty where there is no folder.
std::vector<std::string> names_of_toml_files(const std::filesystem::path& folder);

// Names of the shipped experiments, sorted; empty where there are none.
std::vector<std::string> shipped_experiments(const std::string& share_dir);

}  // namespace ddpbench
