#include "suite/plan/find_experiment.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "suite/base/errors.hpp"
#include "suite/plan/wording.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1 << 20;  // a page or two is usual; /dev/zero has no end

fs::path shipped_folder(const std::string& share_dir) { return fs::path(share_dir) / "experiments"; }

ExperimentFile read_experiment_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("experiment '" + shown(path) + "' cannot be read: " + std::generic_category().message(errno));
  std::string text(kMaxBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxBytes) {
    throw UsageError("experiment '" + shown(path) + "' is larger than 1 MiB: must be a TOML file with name, arms and [axes]");
  }
  return {path, std::move(text)};
}

}  // namespace

std::vector<std::string> shipped_experiments(const std::string& share_dir) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(shipped_folder(share_dir), none)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ExperimentFile find_experiment(const std::string& name_or_path, const std::string& share_dir) {
  std::error_code none;
  const bool exists = fs::exists(name_or_path, none);
  if (exists && !fs::is_directory(name_or_path, none)) return read_experiment_file(name_or_path);
  const auto shipped = shipped_experiments(share_dir);
  if (std::find(shipped.begin(), shipped.end(), name_or_path) != shipped.end()) {
    return read_experiment_file((shipped_folder(share_dir) / (name_or_path + ".toml")).string());
  }
  const auto guess = nearest(shipped, name_or_path);
  throw UsageError("experiment '" + shown(name_or_path) + "' is " + (exists ? "a folder" : "no file") +
                   " and no shipped experiment: must be a TOML file or one of " + listed(shipped) +
                   (guess.empty() ? "" : "; did you mean '" + guess + "'?"));
}

}  // namespace ddpbench
