#include "suite/formats/cifar_files.hpp"

#include <algorithm>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/formats/cifar_python.hpp"

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
  const auto folder = cifar_folder(layout, path);
  label_bytes_ = folder.is_python ? 0 : layout.label_bytes();
  record_bytes_ = label_bytes_ + kCifarPixelBytes;
  std::vector<std::string> mistakes;
  for (const auto& entry : layout.files) {
    if (entry.split != split) continue;
    try {
      batches_.push_back(open(layout, entry, folder));
      records_per_file_ = entry.records;
    } catch (const UsageError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

CifarImages::Batch CifarImages::open(const CifarLayout& layout, const CifarFile& entry, const CifarFolder& folder) {
  Batch batch{RecordFile(folder.file(entry)), 0, {}};
  if (folder.is_python) {
    auto read = read_cifar_python(layout, entry, batch.file.path(), python_file_bytes(batch.file.path()));
    batch.begin = read.pixels_begin;
    batch.labels = std::move(read.labels.back());
  } else if (const auto why = why_wrong_size(layout, entry, batch.file.size()); !why.empty()) {
    throw UsageError(batch.file.path() + ": " + why);
  }
  return batch;
}

void CifarImages::keep_in_memory() {
  const auto file_bytes = static_cast<std::size_t>(records_per_file_ * record_bytes_);
  auto memory = std::make_unique_for_overwrite<std::uint8_t[]>(batches_.size() * file_bytes);
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    batches_[i].file.read(batches_[i].begin, {memory.get() + i * file_bytes, file_bytes});
  }
  memory_ = std::move(memory);
}

const std::uint8_t* CifarImages::record(std::int64_t index, CifarRecord& buffer) const {
  if (memory_) return memory_.get() + index * record_bytes_;
  const auto& batch = batches_[static_cast<std::size_t>(index / records_per_file_)];
  batch.file.read(batch.begin + index % records_per_file_ * record_bytes_,
                  {buffer.data(), static_cast<std::size_t>(record_bytes_)});
  return buffer.data();
}

int CifarImages::label(std::int64_t index, const std::uint8_t* record) const {
  const auto& batch = batches_[static_cast<std::size_t>(index / records_per_file_)];
  const auto place = index % records_per_file_;
  const auto found = label_bytes_ > 0 ? record[label_bytes_ - 1] : batch.labels[static_cast<std::size_t>(place)];
  if (found >= 0 && found < classes()) return static_cast<int>(found);
  throw Error(batch.file.path() + ": record " + std::to_string(place) + ": label " + std::to_string(found) + ", legal: 0 to " +
              std::to_string(classes() - 1));
}

CifarImage CifarImages::read(std::int64_t index, CifarRecord& buffer) const {
  if (index < 0 || index >= size()) {
    throw UsageError(std::string(layout_.title) + " has no image " + std::to_string(index) + ", legal: 0 to " +
                     std::to_string(size() - 1));
  }
  const auto* bytes = record(index, buffer);
  return {bytes + label_bytes_, label(index, bytes)};
}

}  // namespace ddpbench
