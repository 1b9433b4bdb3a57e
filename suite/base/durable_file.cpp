#include "suite/base/durable_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <regex>
#include <system_error>
#include <vector>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

const std::string kDiskFull = "disk full: ";
constexpr unsigned kFileMode = 0666;  // less the user's umask
constexpr int kMostLinks = 40;        // as many as the kernel follows

std::string folder_of(const std::string& path) {
  const auto folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Some file systems cannot sync a folder (EINVAL): their renames are then as durable as they get.
void sync_folder(const std::string& folder) {
  const auto file = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (::fsync(file.number()) != 0 && errno != EINVAL) throw file_error("cannot sync", folder, errno);
}

struct stat status_of(const FileDescriptor& file, const std::string& path) {
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0) throw file_error("cannot read", path, errno);
  return facts;
}

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// A rename would take it away.
void require_no_device(const std::string& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode) || S_ISLNK(facts.st_mode)) return;
  throw Error("cannot write " + path + ": it is " + kind_of_file(facts.st_mode) + " and must be a regular file");
}

// A file of its own beside `target`: never one that stands there already, nor what a link there points to. The name is left in `path`.
FileDescriptor make_draft(const std::string& target, std::string& path) {
  for (int attempt = 0;; ++attempt) {
    path = target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + kDraftSuffix;
    const int number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
    if (number >= 0) return FileDescriptor(number);
    if (errno != EEXIST) throw file_error("cannot write", target, errno);
  }
}

// "runs.csv.4711-0.new", as make_draft names it. Other people's files end in ".new" too.
bool is_draft_name(const std::string& name) {
  static const std::regex kName(R"(.+\.[0-9]+-[0-9]+\.new)");
  return std::regex_match(name, kName);
}

// Of "/proc/self/fd/3", to which /dev/fd/3 and /dev/stdout lead: 3, where it is a descriptor of this process.
std::optional<int> descriptor_in(const fs::path& path) {
  std::error_code failed;
  const auto folder = fs::canonical(path.parent_path(), failed);
  if (failed || folder != fs::path("/proc") / std::to_string(::getpid()) / "fd") return std::nullopt;
  return parse_number<int>(path.filename().string());
}

// Opened anew, a file that the shell has opened for this process would be written from its start.
FileDescriptor same_file(int descriptor, const std::string& path) {
  const int number = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (number < 0) throw file_error("cannot write", path, errno);
  return FileDescriptor(number);
}

FileDescriptor open_device(const std::string& path) {
  const int number = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (number < 0 && errno == ENXIO) throw Error("cannot write " + path + ": nobody reads what is written there");
  if (number < 0) throw file_error("cannot write", path, errno);
  FileDescriptor device(number);
  if (::fcntl(number, F_SETFL, ::fcntl(number, F_GETFL) & ~O_NONBLOCK) != 0) throw file_error("cannot write", path, errno);
  return device;
}

}  // namespace

Error file_error(const std::string& action, const std::string& path, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  const std::string why = full ? kDiskFull : error_number == EFBIG ? "file size limit (ulimit -f): " : "";
  return Error(why + action + " " + path + ": " + std::generic_category().message(error_number));
}

bool is_disk_full(const Error& error) { return std::string_view(error.what()).starts_with(kDiskFull); }

FileDescriptor open_file(const std::string& path, int flags) {
  const int number = ::open(path.c_str(), flags | O_CLOEXEC, kFileMode);
  if (number < 0) throw file_error((flags & (O_WRONLY | O_RDWR)) != 0 ? "cannot write" : "cannot read", path, errno);
  return FileDescriptor(number);
}

void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw file_error("cannot write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_file(const FileDescriptor& file, const std::string& path) {
  if (::fsync(file.number()) != 0) throw file_error("cannot sync", path, errno);
}

FileDescriptor open_regular_file(const std::string& path) {
  auto file = open_file(path, O_RDONLY | O_NONBLOCK);  // to open a named pipe would wait for its writer
  const auto mode = status_of(file, path).st_mode;
  if (!S_ISREG(mode)) throw Error("cannot read " + path + ": it is " + kind_of_file(mode) + " and must be a regular file");
  return file;
}

std::string read_file(const std::string& path, std::int64_t limit_bytes) {
  const auto file = open_regular_file(path);
  const auto size = status_of(file, path).st_size;
  if (size > limit_bytes) {
    throw Error(path + " has " + std::to_string(size) + " bytes: at most " + std::to_string(limit_bytes) + " are read");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const auto got = ::read(file.number(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw file_error("cannot read", path, errno);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  text.resize(length);
  return text;
}

Draft::Draft(std::string target) : target_(std::move(target)), file_(make_draft(target_, path_)) {}

Draft::~Draft() {
  if (!published_) ::unlink(path_.c_str());
}

void Draft::write(std::string_view bytes) const { write_all(file_, bytes, target_); }

void Draft::publish() {
  require_no_device(target_);
  sync_file(file_, target_);
  if (std::rename(path_.c_str(), target_.c_str()) != 0) throw file_error("cannot write", target_, errno);
  published_ = true;
  sync_folder(folder_of(target_));
}

void remove_drafts(const std::string& folder, std::chrono::seconds age) {
  std::error_code failed;  // what cannot be looked at, or goes meanwhile, is left alone
  const auto newest = fs::file_time_type::clock::now() - age;
  std::vector<fs::path> drafts;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const auto kind = entry.symlink_status(failed).type();
    if (!is_draft_name(entry.path().filename().string())) continue;
    const bool is_old = kind == fs::file_type::regular && entry.last_write_time(failed) <= newest;
    if (is_old || kind == fs::file_type::symlink) drafts.push_back(entry.path());
  }
  for (const auto& draft : drafts) fs::remove(draft, failed);
}

void replace_file(const std::string& path, std::string_view text) {
  Draft draft(path);
  draft.write(text);
  draft.publish();
}

void write_named_file(const std::string& path, std::string_view text) try {
  fs::path end = fs::absolute(path);
  std::error_code failed;
  for (int links = 0; links < kMostLinks; ++links) {
    if (const auto descriptor = descriptor_in(end)) return write_all(same_file(*descriptor, path), text, path);
    if (!fs::is_symlink(end, failed)) break;
    end = end.parent_path() / fs::read_symlink(end);
  }
  if (fs::is_symlink(end, failed)) throw file_error("cannot write", path, ELOOP);
  const auto status = fs::status(end, failed);
  if (!fs::exists(status) || fs::is_regular_file(status)) return replace_file(end.string(), text);
  write_all(open_device(end.string()), text, path);
} catch (const Error& error) {
  throw CannotRun(error.what());
}

}  // namespace ddpbench
