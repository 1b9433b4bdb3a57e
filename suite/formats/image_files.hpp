#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "suite/formats/data_set.hpp"
#include "suite/formats/record_file.hpp"

namespace ddpbench {

// Says how many bytes a file of records must have.
struct RecordCount {
  std::int64_t records;
  std::int64_t record_bytes;
  std::int64_t header_bytes = 0;  // before the first record
};

// Says why such a file may not have `bytes` bytes; "" where it may.
std::string why_wrong_size(const RecordCount& expected, std::int64_t bytes);

// Holds an open file of a data set: records of one length. Labels stand in the records, or apart from them.
struct ImageFile {
  RecordFile file;
  std::int64_t begin = 0;              // of the first record
  std::int64_t label_bytes = 0;        // before the pixels of a record
  std::vector<std::int64_t> labels{};  // one per record, where label_bytes is 0
};

// Holds one record of any data set.
using ImageRecord = std::array<std::uint8_t, kMostRecordBytes>;

// Points at the pixels of one image, and holds its label.
struct LabelledImage {
  const std::uint8_t* pixels;  // as many bytes as the data set's image has
  int label;                   // 0 … classes - 1
};

// Reads one split of a data set. Opening reads nothing but labels that stand apart from the pixels; an image is read when it is
// asked for, or all of them by keep_in_memory().
class ImageFiles {
 public:
  // Takes `path` as files_folder does. Throws UsageError holding every file that is missing, unreadable or of the wrong size.
  ImageFiles(const DataSet& set, const std::string& path, Split split);

  std::int64_t size() const { return static_cast<std::int64_t>(files_.size()) * records_per_file_; }
  int classes() const { return set_.classes(); }
  const ImageShape& shape() const { return set_.image; }

  // Reads the whole split, so that images come from memory (154 MB of CIFAR's training set). Throws Error.
  void keep_in_memory();

  // Reads image `index`, from 0. The pixels lie in `buffer`, or in memory for ever. Thread-safe. Throws UsageError where there is
  // no such image, Error where the file has become shorter, cannot be read, or holds a label out of range.
  LabelledImage read(std::int64_t index, ImageRecord& buffer) const;

 private:
  const std::uint8_t* record(std::int64_t index, ImageRecord& buffer) const;
  int label(std::int64_t index, const std::uint8_t* record) const;

  DataSet set_;
  std::vector<ImageFile> files_;
  std::int64_t records_per_file_ = 1;
  std::int64_t label_bytes_ = 0;  // before the pixels of a record
  std::int64_t record_bytes_ = 0;
  std::unique_ptr<std::uint8_t[]> memory_;  // all records one after the other; null where they stay in the files
};

}  // namespace ddpbench
