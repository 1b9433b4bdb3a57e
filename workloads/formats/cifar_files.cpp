#include "workloads/formats/cifar_files.hpp"

#include <algorithm>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {

static_assert(std::all_of(kCifarLayouts.begin(), kCifarLayouts.end(), [](const CifarLayout& layout) {
  return layout.record_bytes() <= static_cast<std::int64_t>(CifarRecord().size());
}));

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

CifarImages::CifarImages(const CifarLayout& layout, const std::string& path, Split split) : layout_(layout) {
  const auto folder = cifar_files_folder(layout, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : layout.files) {
    if (entry.split != split) continue;
    try {
      RecordFile file(folder + "/" + std::string(entry.name));
      const auto why = why_wrong_size(layout, entry, file.size());
      if (!why.empty()) mistakes.push_back(file.path() + ": " + why);
      files_.push_back(std::move(file));
      records_per_file_ = entry.records;
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

void CifarImages::keep_in_memory() {
  const auto file_bytes = static_cast<std::size_t>(records_per_file_ * layout_.record_bytes());
  auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(files_.size() * file_bytes);
  for (std::size_t i = 0; i < files_.size(); ++i) files_[i].read(0, {memory.get() + i * file_bytes, file_bytes});
  memory_ = std::move(memory);
}

const std::uint8_t* CifarImages::record(std::int64_t index, CifarRecord& buffer) const {
  const auto bytes = layout_.record_bytes();
  if (memory_) return memory_.get() + index * bytes;
  const auto& file = files_[static_cast<std::size_t>(index / records_per_file_)];
  file.read(index % records_per_file_ * bytes, {buffer.data(), static_cast<std::size_t>(bytes)});
  return buffer.data();
}

CifarImage CifarImages::read(std::int64_t index, CifarRecord& buffer) const {
  if (index < 0 || index >= size()) {
    throw UsageError(std::string(layout_.title) + " has no image " + std::to_string(index) + ", legal: 0 to " +
                     std::to_string(size() - 1));
  }
  const auto* bytes = record(index, buffer);
  const int label = bytes[layout_.label_bytes() - 1];
  if (label >= classes()) {
    const auto& file = files_[static_cast<std::size_t>(index / records_per_file_)];
    throw Error(file.path() + ": record " + std::to_string(index % records_per_file_) + ": label " + std::to_string(label) +
                ", legal: 0 to " + std::to_string(classes() - 1));
  }
  return {bytes + layout_.label_bytes(), label};
}

}  // namespace ddpbench
