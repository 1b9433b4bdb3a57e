#include "suite/formats/data_commands.hpp"

#include <filesystem>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/formats/data_set.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"

namespace ddpbench {
namespace {

std::string description(const DataSet& set, const std::string& folder) {
  std::string text = folder + ": " + std::string(set.title) + ", " + std::to_string(set.records(Split::kTrain)) +
                     " training and " + std::to_string(set.records(Split::kTest)) + " test images, " +
                     std::to_string(set.classes()) + " classes";
  if (const auto seed = generated_seed(folder)) text += ", generated (seed " + std::to_string(*seed) + ")";
  return text + "\n";
}

bool is_there(const DataSet& set, const std::string& path) { return std::filesystem::is_directory(files_folder(set, path).path); }

std::string folders_looked_for() {
  std::string names;
  for (const auto& set : data_sets()) {
    for (const auto& version : set.versions) names += (names.empty() ? "" : ", ") + std::string(version.folder);
  }
  return names;
}

}  // namespace

std::string make_data(const std::string& path, const std::string& dataset, std::uint64_t seed) {
  const auto& set = find_data_set(dataset);
  return description(set, generate_data(set, path, seed));
}

std::string verify_data(const std::string& path) {
  std::string text;
  std::vector<std::string> mistakes;
  for (const auto& set : data_sets()) {
    if (!is_there(set, path)) continue;
    const auto found = data_mistakes(set, path);
    mistakes.insert(mistakes.end(), found.begin(), found.end());
    text += description(set, files_folder(set, path).path);
  }
  if (text.empty()) throw UsageError(path + ": no data set here (looked for " + folders_looked_for() + ", or their files)");
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  return text;
}

}  // namespace ddpbench
