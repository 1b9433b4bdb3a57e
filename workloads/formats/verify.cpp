#include "workloads/formats/verify.hpp"

#include <algorithm>

#include "suite/vocab/errors.hpp"
#include "workloads/formats/cifar_files.hpp"

namespace ddpbench {
namespace {

std::string label_mistake(const MappedFile& file, const CifarLabel& label, std::int64_t record, std::int64_t offset) {
  return file.path() + ": record " + std::to_string(record) + " (offset " + std::to_string(offset) +
         "): " + std::string(label.word) + " " + std::to_string(file.bytes()[static_cast<std::size_t>(offset)]) +
         ", legal: 0 to " + std::to_string(label.classes - 1);
}

// Looks at the records that are there whole, so that a truncated file's labels are judged too.
void check_labels(const CifarLayout& layout, const CifarFile& entry, const MappedFile& file, std::vector<std::string>& mistakes) {
  const auto records = std::min(static_cast<std::int64_t>(file.bytes().size()) / layout.record_bytes(), entry.records);
  int found = 0;
  for (std::int64_t record = 0; record < records; ++record) {
    for (std::size_t i = 0; i < layout.labels.size(); ++i) {
      const auto offset = record * layout.record_bytes() + static_cast<std::int64_t>(i);
      if (file.bytes()[static_cast<std::size_t>(offset)] < layout.labels[i].classes) continue;
      if (++found <= kLabelMistakesShown) mistakes.push_back(label_mistake(file, layout.labels[i], record, offset));
    }
  }
  const auto rest = found - kLabelMistakesShown;
  if (rest > 0) mistakes.push_back(file.path() + ": " + std::to_string(rest) + " more labels out of range");
}

void check_file(const CifarLayout& layout, const CifarFile& entry, const std::string& path, std::vector<std::string>& mistakes) {
  const MappedFile file(path);
  const auto why = why_wrong_size(layout, entry, static_cast<std::int64_t>(file.bytes().size()));
  if (!why.empty()) mistakes.push_back(path + ": " + why);
  check_labels(layout, entry, file, mistakes);
}

}  // namespace

std::vector<std::string> cifar_mistakes(const CifarLayout& layout, const std::string& path) {
  const auto folder = cifar_files_folder(layout, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : layout.files) {
    try {
      check_file(layout, entry, folder + "/" + std::string(entry.name), mistakes);
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  return mistakes;
}

}  // namespace ddpbench
