#include "suite/formats/verify.hpp"

#include <algorithm>
#include <filesystem>

#include "suite/base/errors.hpp"
#include "suite/formats/cifar_files.hpp"
#include "suite/formats/cifar_python.hpp"
#include "suite/formats/generate.hpp"

namespace ddpbench {
namespace {

std::string label_mistake(const std::string& place, const CifarLabel& label, std::int64_t value) {
  return place + ": " + std::string(label.word) + " " + std::to_string(value) + ", legal: 0 to " +
         std::to_string(label.classes - 1);
}

void count_rest(const std::string& path, int found, std::vector<std::string>& mistakes) {
  const auto rest = found - kLabelMistakesShown;
  if (rest > 0) mistakes.push_back(path + ": " + std::to_string(rest) + " more labels out of range");
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
      const auto offset = std::to_string(begin + static_cast<std::int64_t>(i));
      const auto place = file.path() + ": record " + std::to_string(record) + " (offset " + offset + ")";
      mistakes.push_back(label_mistake(place, layout.labels[i], values[i]));
    }
  }
  count_rest(file.path(), found, mistakes);
}

void check_binary(const CifarLayout& layout, const CifarFile& entry, const std::string& path,
                  std::vector<std::string>& mistakes) {
  const RecordFile file(path);
  const auto why = why_wrong_size(layout, entry, file.size());
  if (!why.empty()) mistakes.push_back(path + ": " + why);
  check_labels(layout, entry, file, mistakes);
}

void check_python(const CifarLayout& layout, const CifarFile& entry, const std::string& path,
                  std::vector<std::string>& mistakes) {
  const auto before = mistakes.size();
  const auto bytes = python_file_bytes(path);
  const auto batch = read_cifar_python(layout, entry, path, bytes);
  for (std::size_t kind = 0; kind < layout.labels.size(); ++kind) {
    const auto& legal = layout.labels[kind];
    int found = 0;
    for (std::size_t record = 0; record < batch.labels[kind].size(); ++record) {
      const auto value = batch.labels[kind][record];
      if ((value >= 0 && value < legal.classes) || ++found > kLabelMistakesShown) continue;
      mistakes.push_back(label_mistake(path + ": record " + std::to_string(record), legal, value));
    }
    count_rest(path, found, mistakes);
  }
  const bool is_generated = generated_seed(std::filesystem::path(path).parent_path().string()).has_value();
  if (mistakes.size() > before || is_generated) return;
  const auto sum = md5_text(bytes);
  if (sum == entry.python_md5) return;
  mistakes.push_back(path + ": is not the original " + std::string(layout.title) + ": its MD5 sum is " + sum + ", must be " +
                     std::string(entry.python_md5));
}

}  // namespace

std::vector<std::string> cifar_mistakes(const CifarLayout& layout, const std::string& path) {
  const auto folder = cifar_folder(layout, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : layout.files) {
    try {
      (folder.is_python ? check_python : check_binary)(layout, entry, folder.file(entry), mistakes);
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  return mistakes;
}

}  // namespace ddpbench
