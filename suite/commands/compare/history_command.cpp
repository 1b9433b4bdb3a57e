#include <filesystem>
#include <iostream>
#include <memory>

#include "reports/analysis/regression/history.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/compare/compared_sides.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

struct HistoryArguments {
  std::vector<std::string> folders;
  std::string out, otava;
};

HistoryEntry read_entry(const std::string& given) {
  const OpenedResults opened(given);
  auto values = folder_values(open_study({opened.path()}));
  const auto path = fs::path(given).lexically_normal();
  return {(path.has_filename() ? path : path.parent_path()).filename().string(), std::move(values)};
}

ExitCode write_history(const HistoryArguments& arguments) {
  if (!arguments.otava.empty() && arguments.out.empty()) throw UsageError("history: --otava needs --out: it names the file");
  std::vector<HistoryEntry> entries;
  bool is_damaged = false;
  for (const auto& folder : arguments.folders) {
    auto entry = read_entry(folder);
    for (const auto& damage : entry.values.damage) std::cerr << "damaged, and left out: " << folder << ": " << damage << '\n';
    for (const auto& sentence : entry.values.profiled) std::cerr << "left out: " << folder << ": " << sentence << '\n';
    is_damaged = is_damaged || !entry.values.damage.empty();
    if (entry.values.damage.empty()) entries.push_back(std::move(entry));
  }
  const auto text = history_csv(entries);
  if (arguments.out.empty()) {
    std::cout << text << std::flush;
  } else {
    write_named_file(arguments.out, text);
  }
  if (!arguments.otava.empty())
    write_named_file(arguments.otava, otava_config(entries, "ddpbench", fs::absolute(arguments.out).lexically_normal().string()));
  return is_damaged ? ExitCode::kDoneWithFailures : ExitCode::kDone;
}

CommandAction declare_history(CLI::App& app) {
  const auto arguments = std::make_shared<HistoryArguments>();
  app.add_option("DIR", arguments->folders, "results folders, or archives of `pack`: one for each day, commit or release")
      ->required();
  app.add_option("--out", arguments->out, "write the CSV to this file (default: standard output)");
  app.add_option("--otava", arguments->otava, "write the section of otava.yaml that reads it to this file");
  return [arguments] { return write_history(*arguments); };
}

}  // namespace

CommandEntry history_command() {
  return {"history",
          "The figures of many results folders as one CSV, for Apache Otava to find change points in",
          "A row for each folder, oldest first; a column for what each arm costs and for each step. Costs are paired within "
          "their launches\n"
          "and so comparable over weeks.",
          "ddpbench history results/nightly-1 results/nightly-2 --out history.csv --otava otava.yaml",
          "0 done; 1 a folder is damaged and left out; 2 a mistake in the command, or not a results folder",
          declare_history};
}

}  // namespace ddpbench
