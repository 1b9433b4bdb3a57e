#include "suite/commands/run/run_folder.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "suite/base/errors.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kParent = "results";
constexpr mode_t kFolderMode = 0777;  // less the user's umask

// mkdir is what decides which of two runs has the name.
std::string make_folder_of_its_own(const std::string& wanted) {
  auto path = wanted;
  for (int next = 2; ::mkdir(path.c_str(), kFolderMode) != 0; ++next) {
    if (errno != EEXIST)
      throw CannotRun("cannot make the folder " + path + ": " + std::generic_category().message(errno) + " (or choose --out)");
    path = wanted + "-" + std::to_string(next);
  }
  return path;
}

void require_folder_or_nothing(const std::string& path) {
  std::error_code failed;
  const auto type = fs::status(path, failed).type();
  if (type == fs::file_type::not_found) return;
  if (failed) throw UsageError(path + " cannot be used: " + failed.message() + ": choose another --out");
  if (type != fs::file_type::directory) throw UsageError(path + " is not a folder: choose another --out");
  const fs::directory_iterator readable(path, failed);
  if (failed) throw UsageError("the folder " + path + " cannot be read: " + failed.message() + ": choose another --out");
}

}  // namespace

std::string absolute_path(const std::string& path, const std::string& option) {
  std::error_code failed;
  const auto absolute = fs::absolute(path, failed);
  if (failed) throw UsageError("the working folder cannot be used (" + failed.message() + "): give an absolute " + option);
  return absolute.lexically_normal().string();
}

std::string run_folder(const std::string& out, const std::string& name, std::chrono::system_clock::time_point started) {
  if (!out.empty()) {
    const auto path = absolute_path(out, "--out");
    require_folder_or_nothing(path);
    return path;
  }
  const auto parent = absolute_path(kParent, "--out");
  std::error_code failed;
  fs::create_directories(parent, failed);
  if (failed) throw CannotRun("cannot make the folder " + parent + ": " + failed.message() + " (or choose --out)");
  return make_folder_of_its_own(parent + "/" + name + "-" + utc_name(started));
}

bool holds_something(const std::string& folder) {
  std::error_code failed;
  return fs::is_directory(folder, failed) && !fs::is_empty(folder, failed);
}

bool is_begun(const std::string& folder) { return holds_something(folder) && !ResultsFolder::is_half_made(folder); }

ResultsFolder begin_folder(const std::string& path, bool resume, const std::string& experiment_toml,
                           const std::vector<PlanRow>& plan, const nlohmann::ordered_json& environment) {
  const auto make = resume && ResultsFolder::is_half_made(path) ? ResultsFolder::create_anew : ResultsFolder::create;
  return make(path, experiment_toml, plan, environment);
}

}  // namespace ddpbench
