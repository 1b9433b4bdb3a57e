#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace ddpbench {

// Holds the text of an experiment, and where it was found.
struct ExperimentFile {
  std::string path;  // stands in error messages
  std::string text;
};

// Reads a file, or else the shipped experiment of that name in `share_dir`/experiments. Throws UsageError that lists the shipped
// ones where it is neither, and one that says why where a file cannot be read or is too large to be an experiment.
ExperimentFile find_experiment(const std::string& name_or_path, const std::string& share_dir);

// Returns what an experiment asks: the first sentence of the comment that its text begins with; "" without one.
std::string experiment_question(const std::string& text);

// Returns the names of the TOML files in a folder without their ending, sorted; empty where there is no folder.
std::vector<std::string> names_of_toml_files(const std::filesystem::path& folder);

// Returns the names of the shipped experiments, sorted; empty where there are none.
std::vector<std::string> shipped_experiments(const std::string& share_dir);

}  // namespace ddpbench
