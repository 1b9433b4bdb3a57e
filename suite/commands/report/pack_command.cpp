#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/report/print_verification.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/launch/probe/python_module.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/store/folder_state.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr double kTimeoutSeconds = 1800;
constexpr std::size_t kMostSaid = 400;  // of what Python said, characters

struct PackArguments {
  std::string folder, out;
};

std::string chosen_file(const PackArguments& arguments, const fs::path& folder) {
  const auto file = arguments.out.empty() ? folder.string() + ".tar.gz" : arguments.out;
  if (fs::exists(file)) throw UsageError(file + " exists: choose another --out");
  const auto parent = fs::absolute(file).parent_path();
  if (!fs::is_directory(parent)) throw UsageError("--out " + file + ": there is no folder " + parent.string());
  return file;
}

// Of samples: what an interrupted write, or somebody, left behind is no result.
std::map<std::string, std::int64_t> stored_bytes(const fs::path& folder) {
  std::map<std::string, std::int64_t> bytes;
  const FolderState state(folder.string(), Manifest::read(folder.string()), Check::kPlaces);
  for (const auto* name : folder_file::kSamples) bytes[name] = state.samples(name).end;
  return bytes;
}

void write_archive(const fs::path& folder, const std::string& file) {
  std::vector<std::string> arguments{folder.string(), fs::absolute(file).string()};
  for (const auto& [name, bytes] : stored_bytes(folder)) arguments.push_back(name + "=" + std::to_string(bytes));
  const auto run = run_captured(python_module(find_installation(), "reports.archive", arguments), kTimeoutSeconds);
  if (run.clean()) return;
  const auto why = printable(run.err, kMostSaid);
  throw CannotRun(file + " was not written: " + (why.empty() || run.signal != 0 ? "Python " + how_it_ended(run) : why));
}

ExitCode pack(const PackArguments& arguments) {
  ResultsFolder::open(arguments.folder);  // or it is none
  const auto folder = fs::canonical(arguments.folder);
  const auto file = chosen_file(arguments, folder);
  if (!print_verification(folder.string())) return ExitCode::kDoneWithFailures;
  write_archive(folder, file);
  std::cout << file << ": " << fs::file_size(file) << " bytes; unpack with tar -xzf\n";
  return ExitCode::kDone;
}

CommandAction declare_pack(CLI::App& app) {
  const auto arguments = std::make_shared<PackArguments>();
  app.add_option("DIR", arguments->folder, "results folder, which is verified first")->required();
  app.add_option("--out", arguments->out, "the archive (default: DIR.tar.gz beside it)");
  return [arguments] { return pack(*arguments); };
}

}  // namespace

CommandEntry pack_command() {
  return {"pack",
          "Writes a results folder into one archive; on another machine `report` makes the same tables of it",
          "It verifies the folder first. The archive holds the folder without what a running launch keeps there.",
          "ddpbench pack results/first --out first.tar.gz",
          "0 done; 1 the folder is damaged; 2 a mistake in the command",
          declare_pack};
}

}  // namespace ddpbench
