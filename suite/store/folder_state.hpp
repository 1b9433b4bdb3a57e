#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/store/manifest.hpp"

namespace ddpbench {

// Returns whether a sentence about a folder tells no fault.
inline bool is_note(const std::string& sentence) { return sentence.starts_with("note: "); }

// Tells which of its files a results folder holds, of those that its manifest allows: what a run that was ended at any moment
// left behind.

// Holds the sums that a whole file may have, newest last, and the one that it has.
struct FileState {
  std::string file;
  std::vector<ManifestRow> allowed;
  Sum found;
  bool is_there = false;

  bool is_allowed() const;
  bool is_newest() const;  // also where only one is allowed
};

// Names a gzip member that counts, and where it stands.
struct Member {
  std::string launch_id;  // "": the header
  std::int64_t attempt = 0, begin = 0, end = 0;
};

// Says what stands in a file of samples: the members that count, those to be removed, and what is wrong.
struct SampleState {
  std::string file;
  std::vector<Member> members;        // that count, in order of the file
  std::vector<Member> dropped;        // of earlier attempts, still there
  std::int64_t end = 0;               // of the last member that counts, or is dropped: what is behind it was never committed
  std::int64_t size = 0;              // of the file; -1: missing
  std::vector<std::string> problems;  // a sentence each
};

// Says how far members are checked: that the file is long enough for them, or also their checksums.
enum class Check { kPlaces, kSums };

// Finds out what of a results folder counts, by its manifest and its files.
class FolderState {
 public:
  // Throws UsageError as Manifest::read does. kSums: every member's checksum is computed, not only those on which places depend.
  FolderState(const std::string& folder, const Manifest& manifest, Check check);

  // Returns whether the last launch was committed, that is, whether runs.csv is the newest that the manifest allows.
  bool is_exchanged() const;

  const std::vector<FileState>& files() const { return files_; }

  // Returns the state of steps.csv.gz or blocks.csv.gz.
  const SampleState& samples(const std::string& file) const;

  // Lists everything that is not as the manifest says, a sentence each; one that begins with "note: " is no fault.
  std::vector<std::string> problems() const;

 private:
  // Returns false where runs.csv is the same before and after the last commit (a fact of a launch, a look): then each other file
  // counts as it is found.
  bool is_exchange_told() const;

  const FileState& file(const std::string& name) const;
  SampleState find_members(const std::string& name, const Manifest& manifest, Check check) const;
  std::vector<std::string> problems_of(const FileState& file) const;

  std::string folder_;
  std::vector<FileState> files_;
  std::vector<SampleState> samples_;
};

}  // namespace ddpbench
