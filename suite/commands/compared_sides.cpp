#include "suite/commands/compared_sides.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/find_program.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr double kUnpackSeconds = 1800;
constexpr std::size_t kMostOfTar = 400;  // of what tar said, characters

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

std::string temporary_folder() {
  auto parent = environment_variable("TMPDIR");
  if (parent.empty()) parent = "/tmp";
  auto pattern = parent + "/ddpbench-results-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw file_error("cannot make a folder in", parent, errno);
  return pattern;
}

void unpack(const std::string& archive, const std::string& into) {
  const auto tar = find_program("tar");
  if (tar.empty()) throw CannotRun("there is no tar to unpack " + archive);
  ChildRequest request;
  request.tokens = {tar, "-xzf", fs::absolute(archive).string(), "-C", into, "--no-same-owner"};
  const auto run = run_captured(request, kUnpackSeconds);
  if (run.clean()) return;
  throw UsageError(archive + " cannot be unpacked: " + printable(run.err, kMostOfTar));
}

// `pack` puts the folder itself into the archive.
std::string only_folder_in(const std::string& folder, const std::string& archive) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().string());
  if (found.size() == 1 && fs::is_directory(found.front())) return found.front();
  throw UsageError(archive + " does not hold one results folder, as `ddpbench pack` writes it");
}

void remove_folder(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

ComparedSide compared_side(const std::string& folder, const std::string& option, const std::string& given) {
  const auto own = find_installation();
  const auto equals = given.find('=');
  if (!is_there(given) && equals != std::string::npos && equals > 0) return {folder, given, own, {given}};
  const fs::path build(given);
  Installation installation{fs::absolute(build / "bin" / "ddpbench-worker").lexically_normal(),
                            fs::absolute(build / "share" / "ddpbench").lexically_normal(), own.program};
  for (const auto& needed : {installation.worker, installation.vocabulary()}) {
    if (!is_there(needed))
      throw UsageError(option + " '" + given + "' is no build: there is no " + needed.string() +
                       " (a build's folder, for example build; or KEY=VALUE, for example lightning_version=2.5.1)");
  }
  return {folder, given, std::move(installation), {}};
}

OpenedResults::OpenedResults(const std::string& given) : path_(given) {
  if (!given.ends_with(".tar.gz") && !given.ends_with(".tgz")) return;
  if (!is_there(given)) throw UsageError(given + " is not there");
  unpacked_ = temporary_folder();
  try {
    unpack(given, unpacked_);
    path_ = only_folder_in(unpacked_, given);
  } catch (...) {
    remove_folder(unpacked_);
    throw;
  }
}

OpenedResults::~OpenedResults() {
  if (!unpacked_.empty()) remove_folder(unpacked_);
}

}  // namespace ddpbench
