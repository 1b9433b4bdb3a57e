#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ddpbench {

// Writes and reads files of gzip members, one appended whole per launch: `zcat` prints them one after the other, and what a crash
// left behind the last committed member is found by length and dropped.

// Cuts the file at `committed_bytes`, appends `text` as one member, syncs, returns the file's new length. Makes the file when
// there is none. Throws Error with the system's reason; the file's first `committed_bytes` stay as they were.
std::int64_t append_gzip_member(const std::string& path, std::int64_t committed_bytes, std::string_view text);

// Reads the members that stand in the first `committed_bytes` of the file, from the one that begins at byte `begin` on. Throws
// Error naming the file and the offset of the member that is cut, is not gzip, or fails its checksum.
class GzipMemberReader {
 public:
  GzipMemberReader(const std::string& path, std::int64_t committed_bytes, std::int64_t begin = 0);
  ~GzipMemberReader();
  GzipMemberReader(const GzipMemberReader&) = delete;
  GzipMemberReader& operator=(const GzipMemberReader&) = delete;

  // Appends the next member's text. Returns false where no member is left.
  bool next(std::string& text);

  // Returns where the member that was read last ends in the file.
  std::int64_t end_offset() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ddpbench
