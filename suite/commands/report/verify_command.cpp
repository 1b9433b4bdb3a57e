#include <filesystem>
#include <iostream>
#include <memory>

#include "suite/commands/commands.hpp"
#include "suite/commands/report/print_verification.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

// A folder that lost a file is a damaged results folder; one that has none of them is something else.
void require_results_folder(const std::string& path) {
  for (const auto* name : {folder_file::kExperiment, folder_file::kEnvironment, folder_file::kPlan, folder_file::kRuns}) {
    if (std::filesystem::exists(std::filesystem::path(path) / name)) return;
  }
  throw UsageError(path + " is not a results folder (it has no " + folder_file::kPlan + ")");
}

ExitCode verify(const std::string& path) {
  require_results_folder(path);
  if (!print_verification(path)) return ExitCode::kDoneWithFailures;
  std::cout << path << " is whole\n";
  return ExitCode::kDone;
}

}  // namespace

CommandAction declare_verify(CLI::App& app) {
  const auto path = std::make_shared<std::string>();
  app.add_option("DIR", *path, "results folder")->required();
  return [path] { return verify(*path); };
}

}  // namespace ddpbench
