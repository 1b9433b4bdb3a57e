#include <filesystem>
#include <iostream>
#include <memory>

#include "suite/commands/command.hpp"
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

CommandAction declare_verify(CLI::App& app) {
  const auto path = std::make_shared<std::string>();
  app.add_option("DIR", *path, "results folder")->required();
  return [path] { return verify(*path); };
}

}  // namespace

CommandEntry verify_command() {
  return {"verify",
          "Checks that a results folder is complete and undamaged",
          "Reads every file and checks checksums, columns, values and the order of the rows, and that plan, launches, "
          "blocks and\n"
          "steps agree. It prints one line for each fault.",
          "ddpbench verify results/first",
          "0 complete and undamaged; 1 not; 2 not a results folder",
          declare_verify};
}

}  // namespace ddpbench
