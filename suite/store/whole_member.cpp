#include "suite/store/whole_member.hpp"

#include <libdeflate.h>
#include <unistd.h>

#include <cstddef>
#include <memory>

#include "suite/base/durable_file.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kFewestBytes = 18;                      // RFC 1952: header of 10, trailer of 8
constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;   // held in memory as a whole; a launch of a day has 50 MB
constexpr std::size_t kMostUnpacked = 8;                       // times; samples pack to a third
constexpr std::size_t kAlwaysUnpacked = std::size_t{1} << 20;  // as of a launch of nothing but zeros

// The trailer's last four bytes, the lowest first.
std::size_t promised_bytes(const std::string& packed) {
  std::size_t bytes = 0;
  for (std::size_t i = 1; i <= sizeof(std::uint32_t); ++i)
    bytes = bytes << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  return bytes;
}

// False where the file does not have them.
bool read_bytes(const std::string& path, std::int64_t begin, std::string& bytes) {
  const auto file = open_regular_file(path);
  for (std::size_t read = 0; read < bytes.size();) {
    const auto got = ::pread(file.number(), bytes.data() + read, bytes.size() - read, begin + static_cast<std::int64_t>(read));
    if (got <= 0) return false;
    read += static_cast<std::size_t>(got);
  }
  return true;
}

struct Free {
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

bool unpack(const std::string& packed, char* text, std::size_t bytes) {
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  if (!decompressor) return false;
  std::size_t read = 0, written = 0;
  const auto answer =
      libdeflate_gzip_decompress_ex(decompressor.get(), packed.data(), packed.size(), text, bytes, &read, &written);
  return answer == LIBDEFLATE_SUCCESS && read == packed.size() && written == bytes;
}

}  // namespace

bool append_whole_member(const std::string& path, std::int64_t begin, std::int64_t end, std::string& text) {
  if (end - begin < kFewestBytes || end - begin > kMostBytes) return false;
  std::string packed(static_cast<std::size_t>(end - begin), '\0');
  if (!read_bytes(path, begin, packed)) return false;
  const auto promised = promised_bytes(packed);
  if (promised > kAlwaysUnpacked && promised / kMostUnpacked > packed.size()) return false;
  const auto before = text.size();
  text.resize(before + promised);
  if (unpack(packed, text.data() + before, promised)) return true;
  text.resize(before);
  return false;
}

}  // namespace ddpbench
