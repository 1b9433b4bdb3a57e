#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "suite/store/folder_lock.hpp"
#include "suite/store/folder_state.hpp"
#include "suite/store/manifest.hpp"

namespace ddpbench {

// Changes a results folder; there is one at a time. Whatever ends the program, the folder is as its manifest says (FolderState),
// before a change or after it.
class FolderWriter {
 public:
  // Begins a fresh folder, whose files are written already: they are listed, and the folder is one from then on.
  static FolderWriter begin(const std::string& folder, FolderLock lock);

  // Takes over a folder that an earlier run left: finishes what that did not finish or takes it back, and removes what it never
  // committed. Throws UsageError where files are not as the manifest says.
  static FolderWriter take_over(const std::string& folder, FolderLock lock);

  // Appends a member behind the committed ones; it counts with the next exchange. Writes nothing for an empty text. Returns the
  // compressed length.
  std::int64_t append(const std::string& sample_file, const std::string& launch_id, std::int64_t attempt, std::string_view text);

  // Puts the texts (by file) in the place of the folder's, runs.csv last: with that all of them count, and the members appended
  // before. Where this throws, nothing counts and it can be tried again.
  void exchange(const std::map<std::string, std::string>& texts);

  // Removes files that the last exchange made no table name any more, and folders that are empty then.
  void remove(const std::set<std::string>& files);

  // Drops what was appended since the last exchange: it does not count.
  void give_up();

  // Exchanges files that no longer name these launches; then removes their members.
  void forget(const std::set<std::string>& launch_ids, const std::map<std::string, std::string>& texts);

  // Writes a manifest that names no exchange, after the last commit: from then on every altered byte is found.
  void finalize();

 private:
  FolderWriter(std::string folder, FolderLock lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  void replace_all(const std::map<std::string, std::string>& texts) const;
  void remove_dropped();
  void cut_tails(const FolderState& state) const;
  void pin_files(const FolderState& state);

  std::string folder_;
  FolderLock lock_;
  Manifest manifest_;
};

}  // namespace ddpbench
