#include "suite/formats/verify.hpp"

#include "suite/base/errors.hpp"

namespace ddpbench {

std::vector<std::string> data_mistakes(const DataSet& set, const std::string& path) {
  const auto folder = files_folder(set, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : folder.version->files) {
    try {
      folder.version->format->check(set, entry, folder.file(entry), mistakes);
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  return mistakes;
}

}  // namespace ddpbench
