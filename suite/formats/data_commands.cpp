#include "suite/formats/data_commands.hpp"

#include <filesystem>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/formats/cifar_layout.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"

namespace ddpbench {
namespace {

std::string description(const CifarLayout& layout, const std::string& folder) {
  std::int64_t train = 0;
  std::int64_t test = 0;
  for (const auto& file : layout.files) (file.split == Split::kTrain ? train : test) += file.records;
  std::string text = folder + ": " + std::string(layout.title) + ", " + std::to_string(train) + " training and " +
                     std::to_string(test) + " test images, " + std::to_string(layout.classes()) + " classes";
  if (const auto seed = generated_seed(folder)) text += ", generated (seed " + std::to_string(*seed) + ")";
  return text + "\n";
}

bool is_there(const CifarLayout& layout, const std::string& path) {
  return std::filesystem::is_directory(cifar_folder(layout, path).path);
}

std::string folders_looked_for() {
  std::string names;
  for (const auto& layout : kCifarLayouts) {
    names += (names.empty() ? "" : ", ") + std::string(layout.folder) + ", " + std::string(layout.python_folder);
  }
  return names;
}

}  // namespace

std::string make_data(const std::string& path, const std::string& dataset, std::uint64_t seed) {
  const auto& layout = find_cifar_layout(dataset);
  return description(layout, generate_cifar(layout, path, seed));
}

std::string verify_data(const std::string& path) {
  std::string text;
  std::vector<std::string> mistakes;
  for (const auto& layout : kCifarLayouts) {
    if (!is_there(layout, path)) continue;
    const auto found = cifar_mistakes(layout, path);
    mistakes.insert(mistakes.end(), found.begin(), found.end());
    text += description(layout, cifar_folder(layout, path).path);
  }
  if (text.empty()) throw UsageError(path + ": no data set here (looked for " + folders_looked_for() + ", or their files)");
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  return text;
}

}  // namespace ddpbench
