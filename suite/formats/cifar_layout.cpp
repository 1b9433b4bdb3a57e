#include "suite/formats/cifar_layout.hpp"

#include <algorithm>
#include <filesystem>

#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {

const CifarLayout& find_cifar_layout(std::string_view name) { return find_entry(kCifarLayouts, "data set", name); }

CifarFolder cifar_folder(const CifarLayout& layout, const std::string& path) {
  const std::filesystem::path given(path);
  const CifarFolder binary{(given / layout.folder).string()}, python{(given / layout.python_folder).string(), true};
  std::error_code ignored;  // what cannot be looked at counts as absent; opening it says why
  if (std::filesystem::is_directory(binary.path, ignored)) return binary;
  const bool has_python = !layout.python_folder.empty();
  if (has_python && std::filesystem::is_directory(python.path, ignored)) return python;
  for (const auto& itself : {CifarFolder{path}, CifarFolder{path, true}}) {
    const bool holds_files = std::any_of(layout.files.begin(), layout.files.end(), [&](const CifarFile& file) {
      return std::filesystem::is_regular_file(itself.file(file), ignored);
    });
    if (holds_files && (has_python || !itself.is_python)) return itself;
  }
  return binary;
}

}  // namespace ddpbench
