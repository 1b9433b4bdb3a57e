#include "suite/commands/compare/compared_sides.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/processes/find_program.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr double kUnpackSeconds = 1800;
constexpr std::size_t kMostOfTar = 400;  // of what tar said, characters

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

// A folder's samples are compressed already: what grows further than this when it is unpacked is no results folder.
std::uintmax_t most_bytes_in(const std::string& archive) {
  constexpr std::uintmax_t kAtLeast = std::uintmax_t{1} << 28;
  constexpr std::uintmax_t kTimes = 50;
  return std::max(kAtLeast, kTimes * fs::file_size(archive));
}

// Cut behind the limit, which tar then takes for a damaged end.
void unpack(const std::string& archive, const std::string& into) {
  for (const auto* needed : {"gzip", "tar"}) {
    if (find_program(needed).empty()) throw CannotRun(std::string("there is no ") + needed + " to unpack " + archive);
  }
  if (!fs::is_regular_file(archive)) throw UsageError(archive + " is no regular file: give an archive of `ddpbench pack`");
  const auto most = most_bytes_in(archive);
  ChildRequest request;
  request.tokens = {"/bin/sh",
                    "-c",
                    "gzip -dc -- \"$1\" | head -c \"$2\" | tar -xf - -C \"$3\" --no-same-owner",
                    "unpack",
                    fs::absolute(archive).string(),
                    std::to_string(most),
                    into};
  const auto run = run_captured(request, kUnpackSeconds);
  if (run.clean()) return;
  throw UsageError(archive + " cannot be unpacked (at most " + std::to_string(most >> 20) +
                   " MiB are taken): " + printable(run.err, kMostOfTar));
}

// `pack` puts the folder itself into the archive.
std::string only_folder_in(const std::string& folder, const std::string& archive) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().string());
  if (found.size() == 1 && fs::is_directory(found.front())) return found.front();
  throw UsageError(archive + " does not hold one results folder, as `ddpbench pack` writes it");
}

// How often and in which order is measured must be alike on both sides, and is no setting of what is measured.
void require_of_ranks(const std::string& option, const std::string& key) {
  const auto* field = find_protocol_field(key);
  if (field != nullptr && field->reader == ProtocolReader::kDriver)
    throw UsageError(option + " " + key + "=…: this changes nothing that a rank does; --set " + key +
                     "=… gives it to both sides");
}

std::set<std::string> cells_of(const Plan& plan) {
  std::set<std::string> cells;
  for (const auto& launch : plan.launches) cells.insert(launch.spec.cell_id);
  return cells;
}

}  // namespace

ComparedSide compared_side(const std::string& folder, const std::string& option, const std::string& given) {
  const auto own = find_installation();
  const auto equals = given.find('=');
  if (!is_there(given) && equals != std::string::npos && equals > 0) {
    require_of_ranks(option, given.substr(0, equals));
    return {folder, given, own, {given}};
  }
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

std::vector<ComparedSide> compared_sides(const std::string& base, const std::string& fresh, bool once) {
  auto sides = std::vector{compared_side(side_folder::kBase, "--base", base), compared_side(side_folder::kNew, "--new", fresh)};
  if (!once) sides.push_back(compared_side(side_folder::kAgain, "--base", base));
  return sides;
}

ExperimentChoice with_settings_of(const ComparedSide& side, ExperimentChoice choice) {
  auto& settings = choice.overrides.settings;
  settings.insert(settings.end(), side.settings.begin(), side.settings.end());
  return choice;
}

void require_same_cells(const Plan& base, const Plan& fresh) {
  const auto of_base = cells_of(base), of_fresh = cells_of(fresh);
  if (of_base == of_fresh) return;
  throw UsageError("base and new have other cells: base " + join(of_base, ", ") + "; new " + join(of_fresh, ", ") +
                   ": what is an axis is compared by `run` (docs/compare_settings.md)");
}

OpenedResults::OpenedResults(const std::string& given) : path_(given) {
  if (!given.ends_with(".tar.gz") && !given.ends_with(".tgz")) return;
  if (!is_there(given)) throw UsageError(given + " is not there");
  unpacked_.emplace("ddpbench-results");
  unpack(given, unpacked_->path());
  path_ = only_folder_in(unpacked_->path(), given);
}

}  // namespace ddpbench
