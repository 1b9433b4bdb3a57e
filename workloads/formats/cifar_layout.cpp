#include "workloads/formats/cifar_layout.hpp"

#include <algorithm>
#include <filesystem>

#include "suite/contract/registry.hpp"

namespace ddpbench {

const CifarLayout& find_cifar_layout(std::string_view name) { return find_entry(kCifarLayouts, "data set", name); }

std::string cifar_files_folder(const CifarLayout& layout, const std::string& path) {
  const std::filesystem::path given(path);
  const auto inner = given / layout.folder;
  std::error_code ignored;  // what cannot be looked at counts as absent; opening it says why
  if (std::filesystem::is_directory(inner, ignored)) return inner.string();
  const bool holds_files = std::any_of(layout.files.begin(), layout.files.end(), [&](const CifarFile& file) {
    return std::filesystem::exists(given / file.name, ignored);
  });
  return (holds_files ? given : inner).string();
}

}  // namespace ddpbench
