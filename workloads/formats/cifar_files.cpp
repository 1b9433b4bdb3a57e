#include "workloads/formats/cifar_files.hpp"

#include "suite/vocab/errors.hpp"

namespace ddpbench {

std::string why_wrong_size(const CifarLayout& layout, const CifarFile& file, std::int64_t bytes) {
  const auto record = layout.record_bytes();
  const auto legal = file.records * record;
  if (bytes == legal) return "";
  const auto expected =
      std::to_string(legal) + " (" + std::to_string(file.records) + " records of " + std::to_string(record) + ")";
  const auto where = bytes < legal ? "truncated in record " + std::to_string(bytes / record)
                                   : std::to_string(bytes - legal) + " too many, from offset " + std::to_string(legal);
  return std::to_string(bytes) + " bytes, must be " + expected + ": " + where;
}

CifarImages::CifarImages(const CifarLayout& layout, const std::string& path, Split split)
    : record_bytes_(layout.record_bytes()), label_bytes_(layout.label_bytes()), classes_(layout.classes()) {
  const auto folder = cifar_files_folder(layout, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : layout.files) {
    if (entry.split != split) continue;
    try {
      MappedFile file(folder + "/" + std::string(entry.name));
      const auto why = why_wrong_size(layout, entry, static_cast<std::int64_t>(file.bytes().size()));
      if (!why.empty()) mistakes.push_back(file.path() + ": " + why);
      files_.push_back(std::move(file));
      records_per_file_ = entry.records;
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

}  // namespace ddpbench
