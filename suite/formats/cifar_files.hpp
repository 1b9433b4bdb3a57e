#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "suite/formats/cifar_layout.hpp"
#include "suite/formats/record_file.hpp"

namespace ddpbench {

// Says why a file of `layout` may not have `bytes` bytes; "" where it may.
std::string why_wrong_size(const CifarLayout& layout, const CifarFile& file, std::int64_t bytes);

// Holds one record of any layout.
using CifarRecord = std::array<std::uint8_t, kCifarPixelBytes + 2>;

// Points at the pixels of one image, and holds its label.
struct CifarImage {
  const std::uint8_t* pixels;  // kCifarPixelBytes bytes: red, green and blue plane, each kCifarEdge rows of kCifarEdge
  int label;                   // 0 … classes - 1
};

// Reads one split of a CIFAR data set. Opening reads nothing but the labels of the Python version; an image is read when it is
// asked for, or all of them by keep_in_memory().
class CifarImages {
 public:
  // Takes `path` as cifar_folder does. Throws UsageError holding every file that is missing, unreadable or of the wrong size.
  CifarImages(const CifarLayout& layout, const std::string& path, Split split);

  std::int64_t size() const { return static_cast<std::int64_t>(batches_.size()) * records_per_file_; }
  int classes() const { return layout_.classes(); }

  // Reads the whole split, so that images come from memory (154 MB of a training set). Throws Error.
  void keep_in_memory();

  // Reads image `index`, from 0. The pixels lie in `buffer`, or in memory for ever. Thread-safe. Throws UsageError where there is
  // no such image, Error where the file has become shorter, cannot be read, or holds a label out of range.
  CifarImage read(std::int64_t index, CifarRecord& buffer) const;

 private:
  // One file: records of the same length from `begin` on. Labels stand in the records, or apart from them.
  struct Batch {
    RecordFile file;
    std::int64_t begin = 0;
    std::vector<std::int64_t> labels;
  };
  static Batch open(const CifarLayout& layout, const CifarFile& entry, const CifarFolder& folder);
  const std::uint8_t* record(std::int64_t index, CifarRecord& buffer) const;
  int label(std::int64_t index, const std::uint8_t* record) const;

  CifarLayout layout_;
  std::vector<Batch> batches_;
  std::int64_t records_per_file_ = 1;
  std::int64_t label_bytes_ = 1;  // before the pixels of a record
  std::int64_t record_bytes_ = 0;
  std::unique_ptr<std::uint8_t[]> memory_;  // all records one after the other; null where they stay in the files
};

}  // namespace ddpbench
