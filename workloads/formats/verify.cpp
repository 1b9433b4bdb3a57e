#include "workloads/formats/verify.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "workloads/formats/cifar_files.hpp"

namespace ddpbench {
namespace {

// Where a label byte stands.
struct LabelPlace {
  const RecordFile& file;
  std::int64_t record;
  std::int64_t offset;
};

std::string label_mistake(const LabelPlace& place, const CifarLabel& label, int value) {
  return place.file.path() + ": record " + std::to_string(place.record) + " (offset " + std::to_string(place.offset) +
         "): " + std::string(label.word) + " " + std::to_string(value) + ", legal: 0 to " + std::to_string(label.classes - 1);
}

// Looks at the records that are there whole, so that a truncated file's labels are judged too.
void check_labels(const CifarLayout& layout, const CifarFile& entry, const RecordFile& file, std::vector<std::string>& mistakes) {
  const auto records = std::min(file.size() / layout.record_bytes(), entry.records);
  std::vector<std::uint8_t> values(layout.labels.size());
  int found = 0;
  for (std::int64_t record = 0; record < records; ++record) {
    const auto begin = record * layout.record_bytes();
    file.read(begin, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] < layout.labels[i].classes) continue;
      if (++found > kLabelMistakesShown) continue;
      mistakes.push_back(label_mistake({file, record, begin + static_cast<std::int64_t>(i)}, layout.labels[i], values[i]));
    }
  }
  const auto rest = found - kLabelMistakesShown;
  if (rest > 0) mistakes.push_back(file.path() + ": " + std::to_string(rest) + " more labels out of range");
}

void check_file(const CifarLayout& layout, const CifarFile& entry, const std::string& path, std::vector<std::string>& mistakes) {
  const RecordFile file(path);
  const auto why = why_wrong_size(layout, entry, file.size());
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
