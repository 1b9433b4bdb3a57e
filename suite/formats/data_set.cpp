#include "suite/formats/data_set.hpp"

#include <algorithm>
#include <filesystem>

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

const DataSet& find_data_set(std::string_view name) { return find_entry(data_sets(), "data set", name); }

FilesFolder files_folder(const DataSet& set, const std::string& path) {
  const std::filesystem::path given(path);
  std::error_code ignored;  // what cannot be looked at counts as absent; opening it says why
  for (const auto& version : set.versions) {
    const FilesFolder below{(given / version.folder).string(), &version};
    if (std::filesystem::is_directory(below.path, ignored)) return below;
  }
  for (const auto& version : set.versions) {
    const FilesFolder itself{path, &version};
    const bool holds_files = std::any_of(version.files.begin(), version.files.end(), [&](const DataFile& file) {
      return std::filesystem::is_regular_file(itself.file(file), ignored);
    });
    if (holds_files) return itself;
  }
  const auto& first = set.versions.front();
  return {(given / first.folder).string(), &first};
}

}  // namespace ddpbench
