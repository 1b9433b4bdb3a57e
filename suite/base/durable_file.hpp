#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// Makes the error "disk full: cannot write results/a/runs.csv: No space left on device"; `error_number` is an errno.
Error file_error(const std::string& action, const std::string& path, int error_number);
bool is_disk_full(const Error& error);  // whether a file_error says so

// Opens a file with the flags of open(2) and O_CLOEXEC. Throws Error with the path and the system's reason, as the next two do.
FileDescriptor open_file(const std::string& path, int flags);

// Writes all bytes, in several calls where the system takes fewer; `path` stands in the message.
void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path);

// Waits until the file's bytes are on the disk.
void sync_file(const FileDescriptor& file, const std::string& path);

// Opens for reading. Refuses what is no regular file, by its kind, before anything is read: a named pipe would make its reader
// wait for ever.
FileDescriptor open_regular_file(const std::string& path);

// Is the largest file that read_file takes, unless it is told another limit.
inline constexpr std::int64_t kReadLimitBytes = std::int64_t{4} << 30;

// Reads a whole regular file; throws Error that names the limit where it is larger.
std::string read_file(const std::string& path, std::int64_t limit_bytes = kReadLimitBytes);

// Ends the name of every draft.
inline constexpr const char* kDraftSuffix = ".new";

// Writes a file beside `target` under a name of its own ("runs.csv.4711-0.new"): opens nothing that stands there, follows no
// link. Removes it unless it was published.
class Draft {
 public:
  explicit Draft(std::string target);
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft();
  void write(std::string_view bytes) const;
  // Syncs, renames over the target, syncs the folder. Throws Error where a device, a named pipe or a socket stands there.
  void publish();

 private:
  std::string target_, path_;
  FileDescriptor file_;
  bool published_ = false;
};

// Removes the drafts that killed processes left in a folder, if last written at least `age` ago. Removes a link of such a name,
// not what it points to. Leaves what cannot be removed; does nothing where there is no such folder.
void remove_drafts(const std::string& folder, std::chrono::seconds age = {});

// Puts `text` at `path` whole or not at all, through a power cut too, by a Draft. Throws Error as Draft does.
void replace_file(const std::string& path, std::string_view text);

// Writes what the user wants at `path`. Follows links. Replaces a regular file; writes into a device, a named pipe, /dev/stdout
// or another of the process's own descriptors, which stays. Throws CannotRun with `path` and the reason.
void write_named_file(const std::string& path, std::string_view text);

}  // namespace ddpbench
