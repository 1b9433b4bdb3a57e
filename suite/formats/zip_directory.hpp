#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/formats/record_file.hpp"

namespace ddpbench {

// Describes one file in a zip archive (PKWARE's APPNOTE 6.3, 4.3.12), as the directory at the archive's end has it.
struct ZipRecord {
  std::string name;
  bool is_compressed = false;
  std::int64_t bytes = 0;   // as it lies in the archive
  std::int64_t header = 0;  // offset of its local header
};

// Reads the directory. Throws UsageError where the file is no zip archive, was cut short, or contradicts itself.
std::vector<ZipRecord> read_zip_directory(const RecordFile& file);

// Returns the bytes of one record. Throws UsageError where it is compressed, larger than `limit_bytes`, or lies outside of the
// file.
std::string read_zip_record(const RecordFile& file, const ZipRecord& record, std::int64_t limit_bytes);

}  // namespace ddpbench
