#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// "disk full: cannot write results/a/runs.csv: No space left on device"; `error_number` as in errno.
Error file_error(const std::string& action, const std::string& path, int error_number);
bool is_disk_full(const Error& error);  // of a file_error

// All of these throw Error with the path and the system's reason. `flags` as for open(2); O_CLOEXEC is added.
FileDescriptor open_file(const std::string& path, int flags);
void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path);
void sync_file(const FileDescriptor& file, const std::string& path);

// For reading. What is no regular file is refused, by its kind, before anything is read: a named pipe would make its reader wait for ever.
FileDescriptor open_regular_file(const std::string& path);

// The whole of a regular file; an Error that names the limit where it is larger.
inline constexpr std::int64_t kReadLimitBytes = std::int64_t{4} << 30;
std::string read_file(const std::string& path, std::int64_t limit_bytes = kReadLimitBytes);

// A file on its way to `target`, beside it under a name of its own ("runs.csv.4711-0.new"): nothing that stands there is opened, no link is
// followed. Removed unless it was published.
inline constexpr const char* kDraftSuffix = ".new";
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

// Removes what drafts of killed processes left in a folder: those that were last written at least `age` ago. A link of such a name goes, not
// what it points to. Nothing where there is no such folder; what cannot be removed stays.
void remove_drafts(const std::string& folder, std::chrono::seconds age = {});

// Puts `text` at `path` whole or not at all, through a power cut too: by a Draft.
void replace_file(const std::string& path, std::string_view text);

// Writes what the user wants at `path`. Links are followed. A regular file is replaced; a device, a named pipe, /dev/stdout or another of the
// process's own descriptors is written into, and stays. Throws CannotRun with `path` and the reason.
void write_named_file(const std::string& path, std::string_view text);

}  // namespace ddpbench
