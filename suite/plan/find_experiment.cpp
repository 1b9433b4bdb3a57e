#include "suite/plan/find_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/nearest.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxBytes = 1 << 20;  // a page or two is usual

fs::path shipped_folder(const std::string& share_dir) { return fs::path(share_dir) / "experiments"; }

ExperimentFile read_experiment_file(const std::string& path) {
  try {
    return {path, read_file(path, kMaxBytes)};
  } catch (const Error& error) {
    throw UsageError("experiment '" + shown(path) + "': " + shown(error.what(), 500) +
                     " (must be a TOML file with name, arms and [axes])");
  }
}

}  // namespace

std::vector<std::string> names_of_toml_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> shipped_experiments(const std::string& share_dir) {
  return names_of_toml_files(shipped_folder(share_dir));
}

std::string experiment_question(const std::string& text) {
  std::string comment;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    const auto begin = std::min(line.find_first_not_of("# "), line.size());
    comment += (comment.empty() ? "" : " ") + line.substr(begin);
  }
  const auto end = std::min(comment.find(". "), comment.find("? "));
  return end == std::string::npos ? comment : comment.substr(0, end + 1);
}

ExperimentFile find_experiment(const std::string& name_or_path, const std::string& share_dir) {
  std::error_code none;
  const auto status = fs::status(name_or_path, none);
  const bool is_folder = fs::is_directory(status);
  if (!is_folder && status.type() != fs::file_type::not_found) return read_experiment_file(name_or_path);
  const auto shipped = shipped_experiments(share_dir);
  if (std::find(shipped.begin(), shipped.end(), name_or_path) != shipped.end()) {
    return read_experiment_file((shipped_folder(share_dir) / (name_or_path + ".toml")).string());
  }
  throw UsageError("experiment '" + shown(name_or_path) + "' is " + (is_folder ? "a folder" : "no file") +
                   " and no shipped experiment: must be a TOML file or one of " + listed(shipped) +
                   did_you_mean(shipped, name_or_path));
}

}  // namespace ddpbench
