#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/formats/cifar_layout.hpp"
#include "workloads/formats/mapped_file.hpp"

namespace ddpbench {

// "" where a file of `layout` may have `bytes` bytes, else why not.
std::string why_wrong_size(const CifarLayout& layout, const CifarFile& file, std::int64_t bytes);

// One split of a CIFAR data set, mapped into memory: opening costs no reading, images come from the page cache. Labels are not
// checked here (that reads every page: cifar_mistakes does it, once, before anything is launched).
class CifarImages {
 public:
  // `path` as for cifar_files_folder. Throws UsageError holding every file that is missing, unreadable or of the wrong size.
  CifarImages(const CifarLayout& layout, const std::string& path, Split split);

  std::int64_t size() const { return static_cast<std::int64_t>(files_.size()) * records_per_file_; }
  int classes() const { return classes_; }

  // 0 <= index < size(), unchecked.
  int label(std::int64_t index) const { return record(index)[label_bytes_ - 1]; }
  // kCifarPixelBytes bytes: red, green and blue plane, each kCifarEdge rows of kCifarEdge.
  const std::uint8_t* pixels(std::int64_t index) const { return record(index) + label_bytes_; }

 private:
  const std::uint8_t* record(std::int64_t index) const {
    const auto& file = files_[static_cast<std::size_t>(index / records_per_file_)];
    return file.bytes().data() + (index % records_per_file_) * record_bytes_;
  }

  std::vector<MappedFile> files_;
  std::int64_t records_per_file_ = 1;
  std::int64_t record_bytes_;
  std::int64_t label_bytes_;
  int classes_;
};

}  // namespace ddpbench
