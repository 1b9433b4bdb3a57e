#include "suite/formats/zip_directory.hpp"

#include <algorithm>
#include <string_view>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

// Sizes of the archive's structures, in bytes, without what is of variable length.
constexpr std::int64_t kLocalHeader = 30, kDirectoryEntry = 46, kEnd = 22, kEnd64Locator = 20, kEnd64 = 56;
constexpr std::int64_t kLongestComment = 0xFFFF;
constexpr std::int64_t kMaxDirectoryBytes = std::int64_t{64} << 20U;
constexpr std::uint64_t kSeeExtraField = 0xFFFFFFFF;

[[noreturn]] void not_whole(const std::string& what) { throw UsageError("is not a whole file (a zip archive): " + what); }

std::string piece(const RecordFile& file, std::int64_t offset, std::int64_t size) {
  if (offset < 0 || size < 0 || offset > file.size() || size > file.size() - offset)
    not_whole("a part of it lies beyond its end");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.read(offset, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

// Little endian, `size` bytes; what is beyond the end of `bytes` is no part of an archive.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  if (at + size > bytes.size()) not_whole("its directory ends in the middle");
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::int64_t offset_from(std::uint64_t number) {
  if (number > (std::uint64_t{1} << 62U)) not_whole("a part of it lies beyond its end");
  return static_cast<std::int64_t>(number);
}

struct Directory {
  std::int64_t offset = 0, bytes = 0;
};

// Of an archive beyond 4 GiB: its end has a second form, which a locator before the first one points to.
Directory find_directory_64(const RecordFile& file, std::int64_t end) {
  const auto locator = piece(file, end - kEnd64Locator, kEnd64Locator);
  if (!locator.starts_with("PK\x06\x07")) not_whole("its directory cannot be found");
  const auto end_64 = piece(file, offset_from(number_at(locator, 8, 8)), kEnd64);
  if (!end_64.starts_with("PK\x06\x06")) not_whole("its directory cannot be found");
  return {offset_from(number_at(end_64, 48, 8)), offset_from(number_at(end_64, 40, 8))};
}

Directory find_directory(const RecordFile& file) {
  const auto begin = std::max<std::int64_t>(0, file.size() - kEnd - kLongestComment);
  const auto tail = piece(file, begin, file.size() - begin);
  const auto at = tail.rfind("PK\x05\x06");
  if (at == std::string::npos || tail.size() - at < static_cast<std::size_t>(kEnd)) not_whole("it ends before its directory");
  const auto bytes = number_at(tail, at + 12, 4);
  const auto offset = number_at(tail, at + 16, 4);
  if (bytes == kSeeExtraField || offset == kSeeExtraField) return find_directory_64(file, begin + static_cast<std::int64_t>(at));
  return {offset_from(offset), offset_from(bytes)};
}

// Values that do not fit into 32 bit stand in the extra field with number 1, in this order: size, size in the archive, offset.
class ExtraField {
 public:
  explicit ExtraField(std::string_view extra) {
    while (extra.size() >= 4) {
      const auto size = static_cast<std::size_t>(number_at(extra, 2, 2));
      if (number_at(extra, 0, 2) == 1) rest_ = extra.substr(4, size);
      extra.remove_prefix(std::min(extra.size(), 4 + size));
    }
  }
  std::uint64_t in_place_of(std::uint64_t value) {
    if (value != kSeeExtraField) return value;
    const auto real = number_at(rest_, 0, 8);
    rest_.remove_prefix(8);
    return real;
  }

 private:
  std::string_view rest_;
};

// Takes an entry from the front of the directory.
ZipRecord next_record(std::string_view& directory) {
  if (!directory.starts_with("PK\x01\x02")) not_whole("its directory is damaged");
  const auto name_bytes = static_cast<std::size_t>(number_at(directory, 28, 2));
  const auto extra_bytes = static_cast<std::size_t>(number_at(directory, 30, 2));
  const auto all_bytes = static_cast<std::size_t>(kDirectoryEntry) + name_bytes + extra_bytes + number_at(directory, 32, 2);
  if (all_bytes > directory.size()) not_whole("its directory ends in the middle");
  ExtraField extra(directory.substr(static_cast<std::size_t>(kDirectoryEntry) + name_bytes, extra_bytes));
  ZipRecord record{.name = std::string(directory.substr(static_cast<std::size_t>(kDirectoryEntry), name_bytes)),
                   .is_compressed = number_at(directory, 10, 2) != 0};
  extra.in_place_of(number_at(directory, 24, 4));
  record.bytes = offset_from(extra.in_place_of(number_at(directory, 20, 4)));
  record.header = offset_from(extra.in_place_of(number_at(directory, 42, 4)));
  directory.remove_prefix(all_bytes);
  return record;
}

}  // namespace

std::vector<ZipRecord> read_zip_directory(const RecordFile& file) {
  const auto found = find_directory(file);
  if (found.bytes > kMaxDirectoryBytes) not_whole("its directory has " + std::to_string(found.bytes) + " bytes");
  const auto bytes = piece(file, found.offset, found.bytes);
  std::vector<ZipRecord> records;
  for (std::string_view rest = bytes; !rest.empty();) {
    records.push_back(next_record(rest));
    const auto& record = records.back();
    if (record.bytes > file.size() || record.header > file.size() - record.bytes) not_whole(record.name + " lies beyond its end");
  }
  return records;
}

std::string read_zip_record(const RecordFile& file, const ZipRecord& record, std::int64_t limit_bytes) {
  if (record.is_compressed) throw UsageError(record.name + " is compressed");
  if (record.bytes > limit_bytes) {
    throw UsageError(record.name + " has " + std::to_string(record.bytes) + " bytes: at most " + std::to_string(limit_bytes) +
                     " are read");
  }
  const auto header = piece(file, record.header, kLocalHeader);
  if (!header.starts_with("PK\x03\x04")) not_whole(record.name + " is not where its directory says");
  const auto begin =
      record.header + kLocalHeader + static_cast<std::int64_t>(number_at(header, 26, 2) + number_at(header, 28, 2));
  return piece(file, begin, record.bytes);
}

}  // namespace ddpbench
