#include "suite/formats/image_files.hpp"

#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {

std::string why_wrong_size(const RecordCount& expected, std::int64_t bytes) {
  const auto& [records, record, header] = expected;
  const auto legal = header + records * record;
  if (bytes == legal) return "";
  const auto of_header = header == 0 ? "" : std::to_string(header) + " and ";
  const auto parts = " (" + of_header + std::to_string(records) + " records of " + std::to_string(record) + ")";
  auto where = std::to_string(bytes - legal) + " too many, from offset " + std::to_string(legal);
  if (bytes < header) where = "truncated in its header";
  if (bytes >= header && bytes < legal) where = "truncated in record " + std::to_string((bytes - header) / record);
  return std::to_string(bytes) + " bytes, must be " + std::to_string(legal) + parts + ": " + where;
}

ImageFiles::ImageFiles(const DataSet& set, const std::string& path, Split split) : set_(set) {
  const auto folder = files_folder(set, path);
  std::vector<std::string> mistakes;
  for (const auto& entry : folder.version->files) {
    if (entry.split != split) continue;
    try {
      files_.push_back(folder.version->format->open(set, entry, folder.file(entry)));
      records_per_file_ = entry.records;
      label_bytes_ = files_.back().label_bytes;
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  record_bytes_ = label_bytes_ + set.image.bytes();
}

void ImageFiles::keep_in_memory() {
  const auto file_bytes = static_cast<std::size_t>(records_per_file_ * record_bytes_);
  auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(files_.size() * file_bytes);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    files_[i].file.read(files_[i].begin, {memory.get() + i * file_bytes, file_bytes});
  }
  memory_ = std::move(memory);
}

const std::uint8_t* ImageFiles::record(std::int64_t index, ImageRecord& buffer) const {
  if (memory_) return memory_.get() + index * record_bytes_;
  const auto& from = files_[static_cast<std::size_t>(index / records_per_file_)];
  from.file.read(from.begin + index % records_per_file_ * record_bytes_,
                 {buffer.data(), static_cast<std::size_t>(record_bytes_)});
  return buffer.data();
}

int ImageFiles::label(std::int64_t index, const std::uint8_t* record) const {
  const auto& from = files_[static_cast<std::size_t>(index / records_per_file_)];
  const auto place = index % records_per_file_;
  const auto found = label_bytes_ > 0 ? record[label_bytes_ - 1] : from.labels[static_cast<std::size_t>(place)];
  if (found >= 0 && found < classes()) return static_cast<int>(found);
  throw Error(from.file.path() + ": record " + std::to_string(place) + ": label " + std::to_string(found) + ", legal: 0 to " +
              std::to_string(classes() - 1));
}

LabelledImage ImageFiles::read(std::int64_t index, ImageRecord& buffer) const {
  if (index < 0 || index >= size()) {
    throw UsageError(std::string(set_.title) + " has no image " + std::to_string(index) + ", legal: 0 to " +
                     std::to_string(size() - 1));
  }
  const auto* bytes = record(index, buffer);
  return {bytes + label_bytes_, label(index, bytes)};
}

}  // namespace ddpbench
