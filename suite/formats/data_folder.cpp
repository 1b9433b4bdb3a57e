#include "suite/formats/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/verify.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

std::string generated_text(const DataSet& set, std::uint64_t seed) {
  return "generated (seed " + std::to_string(seed) + "): not the real " + std::string(set.title);
}

DataFolder checked(const DataSet& set, const std::string& source, const std::string& path) {
  auto mistakes = data_mistakes(set, path);
  for (auto& mistake : mistakes) mistake = source + ": " + mistake;
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
  DataFolder data{files_folder(set, path).path, "from " + source + ": "};
  data.origin += data.path;
  if (const auto seed = generated_seed(data.path)) data.origin += ", " + generated_text(set, *seed);
  return data;
}

struct SiteFolder {
  std::optional<std::string> path;
  std::string why_unknown;  // of the first place that could not be looked at
};

SiteFolder below_site_folder(const DataSet& set, const fs::path& site) {
  std::vector<fs::path> candidates;
  for (const auto& version : set.versions) {
    candidates.push_back(site / version.folder);
    for (const auto& name : set.site_folders) candidates.push_back(site / name / version.folder);
  }
  SiteFolder found;
  for (const auto& candidate : candidates) {
    std::error_code why;
    const auto status = fs::status(candidate, why);
    if (fs::is_directory(status)) return {candidate.string(), ""};
    if (!fs::status_known(status) && found.why_unknown.empty()) {
      found.why_unknown = candidate.string() + " cannot be read: " + why.message();
    }
  }
  return found;
}

// Held while the cache is filled. Where the file system has no locks two runs may both generate: the bytes are the same, and each
// appears whole.
class CacheLock {
 public:
  explicit CacheLock(const std::string& cache) {
    std::error_code error;
    fs::create_directories(cache, error);
    const auto path = cache + "/.lock";
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw CannotRun("cannot write " + path + ": " + std::generic_category().message(errno) + " (or give --data)");
    while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~CacheLock() { ::close(file_); }
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;

 private:
  int file_ = -1;
};

std::string cached_folder(const DataSet& set, const std::string& cache) {
  return cache + "/" + std::string(set.name) + "/" + std::string(set.versions.front().folder);
}

DataFolder from_cache(const DataSet& set, const std::string& cache) {
  if (cache.empty()) throw CannotRun("no folder for generated data: set HOME or XDG_CACHE_HOME, or give --data");
  const CacheLock lock(cache);
  const auto folder = cached_folder(set, cache);
  const bool usable = generated_seed(folder) == kDefaultDataSeed && data_mistakes(set, folder).empty();
  if (!usable) generate_data(set, cache + "/" + std::string(set.name), kDefaultDataSeed);
  return {folder, generated_text(set, kDefaultDataSeed)};
}

}  // namespace

DataSources data_sources(const std::string& option) {
  const auto cache = cache_folder();
  return {option, environment_variable("DDPBENCH_DATA"), environment_variable("DSDIR"), cache.empty() ? "" : cache + "/data"};
}

DataFolder find_or_generate_data(const DataSet& set, const DataSources& sources) {
  if (!sources.option.empty()) return checked(set, "--data", sources.option);
  if (!sources.own_variable.empty()) return checked(set, "$DDPBENCH_DATA", sources.own_variable);
  if (!sources.site_variable.empty()) {
    const auto found = below_site_folder(set, sources.site_variable);
    if (found.path) return checked(set, "$DSDIR", *found.path);
    if (!found.why_unknown.empty()) {
      throw UsageError("$DSDIR: " + found.why_unknown + "; unset DSDIR to train on generated images, or give --data");
    }
  }
  return from_cache(set, sources.cache);
}

std::string expected_data_path(const DataSet& set, const DataSources& sources) {
  if (!sources.option.empty()) return files_folder(set, sources.option).path;
  if (!sources.own_variable.empty()) return files_folder(set, sources.own_variable).path;
  if (!sources.site_variable.empty()) {
    const auto found = below_site_folder(set, sources.site_variable);
    if (found.path) return files_folder(set, *found.path).path;
  }
  return sources.cache.empty() ? "" : cached_folder(set, sources.cache);
}

}  // namespace ddpbench
