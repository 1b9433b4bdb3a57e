#include "suite/formats/generate.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNoteName = "GENERATED_BY_DDPBENCH.txt";
// The number is raised when the generator draws other images: data sets of an older one are then made anew.
constexpr std::string_view kNoteStart = "Not the real data set: made by ddpbench, generator 1, seed ";

[[noreturn]] void cannot_write(const fs::path& path, int error) {
  throw CannotRun("cannot write " + path.string() + ": " + std::generic_category().message(error));
}

void write_file(const fs::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) cannot_write(path, errno);
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) error = errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) cannot_write(path, error);
}

constexpr std::string_view kPartial = ".partial-";

// An exclusive lock on a folder, by flock: gone with its owner, however that ends. Not taken where another has it and `wait` is false, or
// where the file system has no locks.
class LockOnFolder {
 public:
  LockOnFolder(const fs::path& folder, bool wait)
      : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)),
        is_taken_(file_ >= 0 && ::flock(file_, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0) {}
  ~LockOnFolder() {
    if (file_ >= 0) ::close(file_);
  }
  LockOnFolder(const LockOnFolder&) = delete;
  LockOnFolder& operator=(const LockOnFolder&) = delete;
  bool is_taken() const { return is_taken_; }

 private:
  int file_;
  bool is_taken_;
};

std::string fresh_name(const fs::path& wanted) {
  auto path = wanted.string() + std::string(kPartial) + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) cannot_write(wanted, errno);
  return path;
}

// A folder beside `wanted` that is gone with its owner, unless it was renamed away. Its lock says that the owner lives: the folder of one
// that was killed is removed by the next.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& wanted) : path_(fresh_name(wanted)), lock_(path_, /*wait=*/false) {
    fs::permissions(path_, fs::perms(0755));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  LockOnFolder lock_;
};

void remove_what_was_left_behind(const fs::path& wanted) {
  const auto prefix = wanted.filename().string() + std::string(kPartial);
  std::error_code ignored;
  std::vector<fs::path> partial;
  for (const auto& entry : fs::directory_iterator(wanted.parent_path(), ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) partial.push_back(entry.path());
  }
  for (const auto& folder : partial) {
    if (LockOnFolder(folder, /*wait=*/false).is_taken()) fs::remove_all(folder, ignored);
  }
}

// In turn with others that do the same in this parent: between the making of a folder and its lock it looks like one left behind.
std::unique_ptr<TemporaryFolder> make_temporary_folder(const fs::path& wanted) {
  const LockOnFolder turn(wanted.parent_path(), /*wait=*/true);
  remove_what_was_left_behind(wanted);
  return std::make_unique<TemporaryFolder>(wanted);
}

std::string first_line_of_note(const fs::path& path) {
  constexpr std::int64_t kMaxBytes = 4096;
  try {
    const auto note = read_file(path.string(), kMaxBytes);
    return note.substr(0, note.find('\n'));
  } catch (const Error&) {  // no note of ours
    return "";
  }
}

}  // namespace

std::optional<std::uint64_t> generated_seed(const std::string& folder) {
  const auto note = first_line_of_note(fs::path(folder) / kNoteName);
  if (!note.starts_with(kNoteStart)) return std::nullopt;
  return parse_number<std::uint64_t>(std::string_view(note).substr(kNoteStart.size()));
}

std::string generate_data(const DataSet& set, const std::string& parent, std::uint64_t seed) {
  const auto& version = set.versions.front();
  const auto folder = fs::path(parent) / version.folder;
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (error) cannot_write(folder.parent_path().string(), error.value());
  const bool ours = fs::exists(folder / kNoteName, error);
  if (!ours && fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    throw UsageError(folder.string() + ": holds files that ddpbench did not write: choose another PATH");
  }
  const auto fresh = make_temporary_folder(folder);
  const auto write = [&](std::string_view name, std::string_view bytes) { write_file(fs::path(fresh->path()) / name, bytes); };
  version.format->generate(set, seed, write);
  write(kNoteName, std::string(kNoteStart) + std::to_string(seed) + "\n");
  const auto former = make_temporary_folder(folder);
  if (ours) fs::rename(folder, former->path(), error);  // not removed in its place: half of it would be nobody's
  fs::rename(fresh->path(), folder, error);
  if (error) cannot_write(folder, error.value());
  return folder.string();
}

}  // namespace ddpbench
