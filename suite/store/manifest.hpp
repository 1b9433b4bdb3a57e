#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Says what a ManifestRow tells of its file beside "it is there". A launch is committed by exchanging several files for newer
// ones, runs.csv as the last: whatever ends the program in between, each of them is one of two, and which one runs.csv is decides
// what counts.
namespace manifest_state {
inline constexpr const char* kThere = "";           // it must be there as the sum says
inline constexpr const char* kBefore = "before";    // this, or the newer one
inline constexpr const char* kAfter = "after";      // the newer one; a member: it counts once runs.csv is the newer one
inline constexpr const char* kDropped = "dropped";  // a member of an earlier attempt that is being removed
}  // namespace manifest_state

inline constexpr const char* kManifestFile = "manifest.csv";  // of a results folder

// Holds length and CRC-32 of some bytes, as gzip computes it (RFC 1952). Of a file that is not there: no bytes and no checksum.
struct Sum {
  std::int64_t bytes = 0;
  std::string crc32;
  bool operator==(const Sum&) const = default;
};

// Returns the sum of some bytes.
Sum sum_of(std::string_view bytes);

// Returns the sum of a stretch of a regular file; shorter where the file ends before. Throws Error with the system's reason.
Sum sum_of_stretch(const std::string& path, std::int64_t begin, std::int64_t bytes);

// Returns the sum of a whole file. Throws the same, and std::filesystem::filesystem_error where it is missing.
Sum sum_of_file(const std::string& path);

// Holds manifest.csv: what stands in a results folder, with checksums. Its last line holds the sum of the lines above it.
class Manifest {
 public:
  // Reads it. Throws UsageError where the folder has none, or its own sum says that it was altered.
  static Manifest read(const std::string& folder, const std::string& name = kManifestFile);
  static bool is_in(const std::string& folder);
  void write(const std::string& folder, const std::string& name = kManifestFile) const;  // by rename

  const std::vector<ManifestRow>& rows() const { return rows_; }
  std::vector<ManifestRow> rows_of(const std::string& file) const;

  void add_file(const std::string& file, const Sum& sum);

  // Lets the file be what it was (not there, if no line names it), or what `after` says.
  void exchange(const std::string& file, const Sum& after);

  // Adds a member behind the others of the file. It counts once runs.csv is exchanged.
  void add_member(const std::string& file, const std::string& launch_id, std::int64_t attempt, const Sum& sum);

  // Lets the members of these launches be removed.
  void drop(const std::set<std::string>& launch_ids);

  void keep_dropped();                           // they were not removed, and will not be
  void strike_dropped(const std::string& file);  // they are gone

  // Ends all exchanges as done: of each file the newest counts.
  void finalize();

  // Ends them as not done, or not all: each file is still one of those that are named, and new members do not count.
  void give_up();

  // Keeps only this one of the file's sums; none of a file that is not there.
  void pin(const std::string& file, const Sum& sum);

 private:
  std::vector<ManifestRow> rows_;
};

}  // namespace ddpbench
